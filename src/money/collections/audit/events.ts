import type { Queryable } from '../../../platform/postgres/connect.ts';
import { recordset } from '../../../platform/postgres/recordset.ts';
import { eventOf, requestKinds } from '../../../requests/index.ts';
import type { ResultType } from '../result.ts';

/** Moves whose events report a result, by type of result. */
const tellers = {
  collected: ['collect'],
  rejected: ['reject', 'retry'],
  chargeback: ['revert'],
  refund: ['refund'],
} as const satisfies Record<ResultType, readonly string[]>;

const types = Object.entries(tellers) as [ResultType, (typeof tellers)[ResultType]][];

const pairs = requestKinds.flatMap((kind) =>
  types.flatMap(([type, moves]) =>
    moves.map((move) => ({ kind, type, event: `${kind}.${eventOf(kind, move)}` })),
  ),
);

/**
 * Events that name a payment but belong to no result: its release day moved, or a refund began or
 * failed.
 */
const otherMoves = ['postpone', 'ask_refund', 'fail_refund'] as const;

/** Checks that every result has an event of its own request and kind, and vice versa. */
export async function checkResultEvents(sql: Queryable, accountId: string): Promise<string[]> {
  const others = requestKinds.flatMap((kind) =>
    otherMoves.map((what) => `${kind}.${eventOf(kind, what)}`),
  );
  const rows = await sql<{ id: string; result_exists: boolean; event_exists: boolean }[]>`
    with named as (
      select data->>'request_result_id' as id, type, coalesce(data->>'request_id', entity_id)
        as request
      from events
      where account_id = ${accountId} and entity = any(${requestKinds}::text[])
        and type <> all(${others}::text[]) and data->>'request_result_id' is not null
    ),
    pair as (
      select * from ${recordset(sql, 'p (kind text, type text, event text)', pairs)}
    )
    select coalesce(named.id, r.id::text) as id, r.id is not null as result_exists,
      named.id is not null as event_exists
    from (
      select id, id::text as name, request_id, kind, type from results
      where account_id = ${accountId}
    ) as r
    full join named on named.id = r.name
    where r.id is null or named.id is null or named.request <> r.request_id::text
      or (r.kind, r.type, named.type) not in (select kind, type, event from pair)
    order by 1 limit 100`;
  return rows.map(({ id, result_exists, event_exists }) => {
    if (!result_exists) return `an event names result ${id}, which does not exist`;
    return event_exists
      ? `the event of result ${id} names another request or kind`
      : `result ${id} has no event`;
  });
}
