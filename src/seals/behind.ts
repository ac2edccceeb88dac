import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { decidedEverywhere } from '../platform/postgres/distributed/decided.ts';
import { type Evidence, since, touchedRows, waitingFor } from './evidence.ts';
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
      if (waitingFor(evidence) !== null) continue;
      const rows = touchedRows(tx, evidence, accountId, since(tx, begun, before));
      await sealRows(tx, sealer, { accountId, kind: evidence.kind }, rows);
    }
    await moveMark(tx, accountId, before);
  });
}

const moveMark = (sql: Queryable, accountId: string, nextXid: number) => sql`
  insert into seal_marks (account_id, next_xid) values (${accountId}, ${nextXid})
  on conflict (account_id) do update set next_xid = greatest(seal_marks.next_xid, excluded.next_xid)`;

/** Events that are sealed at once, give or take those of one transaction: a backlog has many. */
const eventsPerWindow = 50_000;

const eventsSince = (sql: Queryable, from: number, before: number) => sql`
  (select account_id, xid from events where ${since(sql, from, before)}
    union all
    select account_id, xid from operator_events where ${since(sql, from, before)}) as event`;

/** Where windows of so many events end, the last at `before`: none is cut within a transaction. */
async function endsOf(sql: Queryable, from: number, before: number): Promise<number[]> {
  const rows = await sql<{ end: number }[]>`
    select max(xid) + 1 as end from (
      select xid, sum(count(*)) over (order by xid) - 1 as behind
      from ${eventsSince(sql, from, before)} group by xid
    ) as counted
    group by div(behind, ${eventsPerWindow}) order by 1`;
  return [...rows.slice(0, -1).map(({ end }) => end), before];
}

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
  let from = mark?.next_xid ?? 0;
  const window = await readWindow(sql);
  if (from > window.next) return await sealRestored(sql, sealer, evidences);
  if (from >= window.before || !(await decidedEverywhere(sql))) return;
  for (const before of await endsOf(sql, from, window.before)) {
    const accounts = await sql<{ account_id: string }[]>`
      select distinct account_id from ${eventsSince(sql, from, before)} order by account_id`;
    for (const { account_id: accountId } of accounts) {
      await sealWindow(sql, sealer, evidences, { accountId, from, before });
      sealed?.(accountId);
    }
    await moveMark(sql, '', before);
    from = before;
  }
}
