import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { decidedEverywhere } from '../platform/postgres/distributed/decided.ts';
import { type Evidence, notRestored, rowsOf, touchedSince } from './evidence.ts';
import { sealRestored } from './restored.ts';
import { lockSeals, type Sealer, sealRows } from './seal.ts';
import { readWindow } from './window.ts';

interface Window {
  accountId: string;
  from: number;
  before: number;
}

/** Seals one account's events of a window, and the rows that they are about. */
async function sealWindow(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
  { accountId, from, before }: Window,
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockSeals(tx, accountId);
    const [mark] = await tx<{ next_xid: number }[]>`
      select next_xid from seal_marks where account_id = ${accountId}`;
    const begun = Math.max(from, mark?.next_xid ?? 0);
    if (begun >= before) return;
    for (const evidence of evidences) {
      if (typeof evidence.touched !== 'string') continue;
      const only = touchedSince(tx, evidence.touched, accountId, begun, before);
      const rows = rowsOf(tx, evidence, accountId, only);
      await sealRows(tx, sealer, { accountId, kind: evidence.kind }, rows);
    }
    await moveMark(tx, accountId, before);
  });
}

const moveMark = (sql: Queryable, accountId: string, nextXid: number) => sql`
  insert into seal_marks (account_id, next_xid) values (${accountId}, ${nextXid})
  on conflict (account_id) do update set next_xid = greatest(seal_marks.next_xid, excluded.next_xid)`;

/**
 * Seals what was written since the last time, behind the writes: every event of a transaction that
 * has ended, and the rows that it is about. Nothing waits for it. Interrupted, it goes on where
 * each account stands. `sealed` hears of each account.
 */
export async function sealBehind(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
  sealed?: (accountId: string) => void,
): Promise<void> {
  const [mark] = await sql<{ next_xid: number }[]>`
    select next_xid from seal_marks where account_id = ''`;
  const from = mark?.next_xid ?? 0;
  const { before, next } = await readWindow(sql);
  if (from > next) return await sealRestored(sql, sealer, evidences);
  if (from >= before || !(await decidedEverywhere(sql))) return;
  const accounts = await sql<{ account_id: string }[]>`
    select account_id from events
    where xid >= ${from} and xid < ${before} and ${notRestored(sql)}
    union
    select account_id from operator_events
    where xid >= ${from} and xid < ${before} and ${notRestored(sql)}
    order by account_id`;
  for (const { account_id: accountId } of accounts) {
    await sealWindow(sql, sealer, evidences, { accountId, from, before });
    sealed?.(accountId);
  }
  await moveMark(sql, '', before);
}
