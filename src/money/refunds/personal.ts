import { erasedCbu, erasedText, type StillNeeded } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { textsOf } from '../../platform/postgres/texts.ts';
import { forgedAmongFacts } from '../../seals/index.ts';
import { stampedRefunds } from './evidence.ts';
import type { RefundRow } from './refund.ts';

/** Returns the open refunds of these requests. */
export async function refundsNeeded(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<StillNeeded[]> {
  const rows = await tx<{ id: number }[]>`
    select id from refunds where account_id = ${accountId}
      and request_id = any(${[...requestIds]}::bigint[]) and state = 'requested' order by id`;
  return rows.map(({ id }) => ({ what: 'refund', id, why: 'it has not ended' }));
}

/** Exports refunds as JSON rows. */
export const exportRefunds = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, request_id, result_id, reference, amount, state, way, cbu, requested_at, ended_at,
        comment
      from refunds where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      order by id
    ) as shown`);

export async function refundsOf(
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from refunds
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])`;
  return rows.map(({ id }) => id);
}

/**
 * Erases CBUs and reasons of failure from ended refunds and renews their stamps. A forged row keeps
 * its own stamp, or none, so the audit still finds it. Returns the refunds' ids by request.
 */
export async function eraseRefunds(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<Map<number, number[]>> {
  const lockedRefunds = await tx<{ account_id: string; id: number }[]>`
    select account_id, id from refunds
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
    order by id for update`;
  const forged = new Set(
    (await forgedAmongFacts(tx, stampedRefunds, lockedRefunds)).map(({ id }) => id),
  );
  const rows = await tx<(RefundRow & { stamp: Buffer | null })[]>`
    update refunds set cbu = case when cbu is not null then ${erasedCbu} end,
      comment = case when state = 'failed' and comment is not null then ${erasedText} else comment end
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
    returning account_id, id, request_id, result_id, reference, amount, way, cbu, held,
      held_unavailable, refunded_before, requested_at, asked_by, stamp`;
  const stamped = rows.filter(({ id, stamp }) => stamp !== null && !forged.has(id));
  const stamps = await stampedRefunds.stamps(tx, stamped);
  await tx`
    update refunds r set stamp = made.stamp
    from unnest(${stamped.map(({ id }) => id)}::bigint[], ${stamps}::bytea[]) as made (id, stamp)
    where r.account_id = ${accountId} and r.id = made.id`;
  const byRequest = Map.groupBy(rows, (row) => row.request_id);
  return new Map([...byRequest].map(([id, some]) => [id, some.map((row) => row.id)]));
}
