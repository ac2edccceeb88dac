import { expect } from 'vitest';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { keepStates } from './request-states.ts';

/** Returns the id of the account with this number, which starts at 1. */
export const accountOf = (no: number): string => `A${String(no).padStart(7, '0')}`;

export async function storeAccounts(sql: Sql, count: number): Promise<void> {
  await sql`
    insert into accounts (id, name, cuit, city, created_at)
    select 'A' || lpad(no::text, 7, '0'), 'Cooperativa', '30999999995', 'Rosario', '2026-01-01'
    from generate_series(1, ${count}::int) as no`;
}

/**
 * Waits until no transaction on the server is as old as the last event. Readers of events stop
 * before one that is still open.
 */
export const ended = (sql: Sql) =>
  expect
    .poll(
      () => sql<{ ended: boolean }[]>`
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > max(xid) as ended from events`,
      { timeout: 20_000 },
    )
    .toEqual([{ ended: true }]);

/**
 * Creates `each` requests per account, and their events, under ids after `last`. Returns the last
 * id.
 */
export async function ask(
  sql: Sql,
  { numbers, last, each = 1 }: { numbers: readonly number[]; last: number; each?: number },
): Promise<number> {
  const asked = sql`
    select 'A' || lpad(no::text, 7, '0') as account_id,
      ${last}::bigint + row_number() over (order by no, one) as id
    from unnest(${[...numbers]}::int[]) as no, generate_series(1, ${each}::int) as one`;
  await sql.begin(async (tx) => {
    await tx`
      insert into requests (account_id, id, kind, state, version, created_at, payer, description,
        due1, total1, last_due, details, place)
      select account_id, id, 'payment_request', 'pending', 1, '2026-11-01', 'Ana', 'Cuota',
        '2026-12-01', 100, '2026-12-01', '{}', 0
      from (${asked}) as asked`;
    await keepStates(tx);
    await tx`
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      select account_id, 'payment_request', id::text, 1, id, 'payment_request.created',
        '2026-11-01', 'system', '{}'
      from (${asked}) as asked`;
  });
  await ended(sql);
  return last + numbers.length * each;
}
