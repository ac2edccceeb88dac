import { type CalendarChange, laterOf, reachDays } from '../../calendar/index.ts';
import { midnightOf } from '../../kernel/dates.ts';
import { itemAt } from '../../kernel/lists.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { lockRequests, noteOnRequests } from '../../requests/index.ts';
import type { ResultRow } from './result.ts';

/** An unavailable collection, with the facts that determine its release day. */
export type PromisedResult = Pick<
  ResultRow,
  | 'id'
  | 'request_id'
  | 'kind'
  | 'channel'
  | 'amount'
  | 'unreleased'
  | 'paid_at'
  | 'informed_at'
  | 'informed_on'
  | 'reference'
> & { available_on: Temporal.PlainDate };

export interface PromiseShift {
  row: PromisedResult;
  to: Temporal.PlainDate;
  what: string;
  data: Record<string, unknown>;
}

const atOnce = 1_000;

/**
 * Selects unavailable collections that were paid on or before the changed day. Their release is
 * still to come, and falls around the changed day or after it.
 */
const concerned = (sql: Queryable, { day, today }: CalendarChange) => {
  const from = laterOf(today.add({ days: 1 }), day.subtract({ days: reachDays }));
  return sql`
    type = 'collected' and released_on is null and available_on >= ${from}::date
      and paid_at < ${midnightOf(day.add({ days: 1 }))}::timestamptz`;
};

export async function promisedAccounts(sql: Queryable, change: CalendarChange): Promise<string[]> {
  const rows = await sql<{ account_id: string }[]>`
    select distinct account_id from results where ${concerned(sql, change)} order by account_id`;
  return rows.map((row) => row.account_id);
}

/** Reads an account's collections that a changed day may affect, in batches by id. */
export async function* readPromised(
  sql: Queryable,
  accountId: string,
  change: CalendarChange,
): AsyncGenerator<PromisedResult[]> {
  let after = 0;
  for (;;) {
    const rows = await sql<PromisedResult[]>`
      select id, request_id, kind, channel, amount, unreleased, paid_at, informed_at, informed_on,
        reference, available_on
      from results
      where account_id = ${accountId} and id > ${after}::bigint and ${concerned(sql, change)}
      order by id limit ${atOnce}`;
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = last.id;
  }
}

/**
 * Moves an account's collections to another day, each with an event. Skips those that were
 * concurrently released or moved. Returns the moved ones. Locks requests before results, as all
 * writers of results do.
 */
export async function movePromises(
  { sql, clocks, recordIds }: Base,
  { accountId, actor }: { accountId: string; actor: Actor },
  shifts: PromiseShift[],
): Promise<PromiseShift[]> {
  if (shifts.length === 0) return [];
  const ids = await recordIds.take(shifts.length);
  const rows = shifts.map(({ row, to, what, data }, index) => ({
    result_id: row.id,
    request_id: row.request_id,
    kind: row.kind,
    from_day: row.available_on,
    to_day: to,
    event_id: itemAt(ids, index),
    what,
    data: JSON.stringify(data),
  }));
  const shape = `change (result_id bigint, request_id bigint, kind text, from_day date, to_day date,
    event_id bigint, what text, data text, no ordinality)`;
  const moved = await sql<{ place: number }[]>`
    with change as materialized (
      select ${accountId}::text as account_id, change.* from ${recordset(sql, shape, rows)}
    ),
    ${lockRequests(sql, 'change', [accountId])},
    moved as (
      update results r set available_on = change.to_day,
        promised_on = nullif(coalesce(r.promised_on, r.available_on), change.to_day)
      from change join held_requests held using (account_id, request_id)
      where r.account_id = ${accountId} and r.id = change.result_id and r.released_on is null
        and r.available_on = change.from_day
      returning r.id as result_id
    ),
    fact as (
      select change.account_id, change.request_id, change.kind, change.no, change.event_id,
        change.what, ${clocks.business.now()}::timestamptz as at, ${actorText(actor)}::text as actor,
        change.data, false as is_money, null::text as comment, null::text as move_from,
        null::text as move_to
      from change join moved using (result_id)
    ),
    ${noteOnRequests(sql, 'fact', [accountId])}
    select no::int as place from fact`;
  return moved.flatMap(({ place }) => shifts[place - 1] ?? []);
}
