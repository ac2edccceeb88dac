import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { Void } from '../cases/case.ts';
import { accountId } from './rows.ts';

const mostSeconds = 1_800;
const lookEveryMs = 100;

/** Waits until a query returns `waits` = false. Voids the case after `seconds`. */
async function until(waits: () => Promise<{ waits: boolean }[]>, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const [row] = await waits();
    if (row?.waits === false) return;
    await pause(lookEveryMs);
  }
  throw new Void('The service did not come to the end of what was stored.');
}

/** Waits until the service has sealed all data. */
export const sealed = (sql: Sql, seconds = mostSeconds): Promise<void> =>
  until(
    () => sql`
      select exists (select from events where account_id = ${accountId} and xid >= (
        select max(next_xid) from seal_marks where account_id in ('', ${accountId}))) as waits`,
    seconds,
  );

/**
 * Waits until the service's background work is done: feed positions, seals, folded balances, search
 * words. The next case then has the machine to itself.
 */
export async function settled(sql: Sql): Promise<void> {
  await sealed(sql);
  await until(
    () => sql`
      select exists (select from outbox) or exists (select from balance_deltas)
        or coalesce((
          select seal_no from request_word_marks where account_id = ${accountId}
        ), 0) < (
          select coalesce(max(no), 0) from seals where account_id = ${accountId}
            and kind = 'request'
        ) as waits`,
    mostSeconds,
  );
}

/** Marks all sealed requests as having search words, because nobody searches for them. */
export async function withoutWords(sql: Sql): Promise<void> {
  await sql`
    insert into request_word_marks (account_id, seal_no)
    select account_id, max(no) from seals where account_id = ${accountId} group by 1
    on conflict (account_id) do update set seal_no = excluded.seal_no`;
}
