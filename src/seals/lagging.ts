import { partsOf } from '../kernel/lists.ts';
import { Failures } from '../platform/each-account.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { decidedEverywhere } from '../platform/postgres/distributed/decided.ts';
import { accountsAtOnce } from '../platform/postgres/distributed/engine.ts';
import {
  type Evidence,
  type Fragment,
  isJoinedBy,
  rowsOf,
  since,
  touchedAmong,
  touchedBy,
  touchedRows,
  waitingFor,
} from './evidence.ts';
import { sealRestored } from './restored.ts';
import { type Forged, holdChains, type Sealer } from './seal.ts';
import { beginStamps, forgedFacts } from './stamped.ts';
import { readWindow } from './window.ts';

interface Window {
  from: number;
  before: number;
}

/**
 * Groups the accounts by the transaction to start from, because an interrupted run may have sealed
 * part of the window for some of them. Omits accounts that are done.
 */
async function begunAt(tx: Queryable, accountIds: readonly string[], { from, before }: Window) {
  const marks = await tx<{ account_id: string; next_xid: number }[]>`
    select account_id, next_xid from seal_marks where account_id = any(${accountIds}::text[])`;
  const next = new Map(marks.map((mark) => [mark.account_id, mark.next_xid]));
  const begun = Map.groupBy(accountIds, (accountId) => Math.max(from, next.get(accountId) ?? 0));
  return [...begun].filter(([since]) => since < before);
}

/** Returns the accounts that have no seal yet of a kind that a release added. */
export async function neverSealed(
  tx: Queryable,
  evidence: Evidence,
  accountIds: readonly string[],
): Promise<string[]> {
  const { kind } = evidence;
  const joining = accountIds.filter((accountId) => isJoinedBy(evidence, accountId));
  if (joining.length === 0) return [];
  const rows = await tx<{ account_id: string }[]>`
    select account_id from unnest(${joining}::text[]) as wanted (account_id)
    where not exists (select from seals s where s.account_id = any(${joining}::text[])
      and s.account_id = wanted.account_id and s.kind = ${kind})`;
  return rows.map((row) => row.account_id);
}

/** Seals the events of a window, and the rows that they affect, for some accounts. */
async function sealWindow(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
  accountIds: readonly string[],
  window: Window,
): Promise<void> {
  const { before } = window;
  await sql.begin(async (tx) => {
    const forged: Forged[] = [];
    const chains = await holdChains(tx, sealer, accountIds);
    for (const [begun, some] of await begunAt(tx, accountIds, window)) {
      const condition = since(tx, begun, before);
      const touched = new Set(await touchedAmong(tx, evidences, some, condition));
      for (const evidence of evidences) {
        if (waitingFor(evidence) !== null) continue;
        const fresh = await neverSealed(tx, evidence, some);
        if (fresh.length > 0) await chains.seal(evidence.kind, rowsOf(tx, evidence, fresh));
        if (!touched.has(evidence)) continue;
        await chains.seal(evidence.kind, touchedRows(tx, evidence, some, condition));
        if (sealer.forged) forged.push(...(await forgedOf(tx, sealer, evidence, some, condition)));
      }
      await moveMarks(tx, some, before);
    }
    if (forged.length > 0) await sealer.forged?.(tx, forged);
  });
}

const forgedOf = async (
  tx: Queryable,
  { keys }: Sealer,
  { touched, stamped }: Evidence,
  accountIds: readonly string[],
  condition: Fragment,
): Promise<Forged[]> =>
  stamped && typeof touched === 'string'
    ? await forgedFacts(tx, keys, stamped, touchedBy(tx, touched, accountIds, condition))
    : [];

const moveMarks = (sql: Queryable, accountIds: readonly string[], nextXid: number) => sql`
  insert into seal_marks (account_id, next_xid)
  select account_id, ${nextXid} from unnest(${accountIds}::text[]) as moved (account_id)
  on conflict (account_id) do update set next_xid = greatest(seal_marks.next_xid, excluded.next_xid)`;

/** Events per window, so that a backlog is sealed in steps. */
const eventsPerWindow = 50_000;

const eventsSince = (sql: Queryable, from: number, before: number) => sql`
  (select account_id, xid from events where ${since(sql, from, before)}
    union all
    select account_id, xid from operator_events where ${since(sql, from, before)}) as event`;

/** Returns the ends of windows, the last at `before`. Never splits a transaction. */
async function endsOf(sql: Queryable, from: number, before: number): Promise<number[]> {
  const rows = await sql<{ end: number }[]>`
    select max(xid) + 1 as end from (
      select xid, sum(count(*)) over (order by xid) - 1 as behind
      from ${eventsSince(sql, from, before)} group by xid
    ) as counted
    group by div(behind, ${eventsPerWindow}) order by 1`;
  return [...rows.slice(0, -1).map(({ end }) => end), before];
}

/** Accounts per transaction. One statement seals each kind of row for all of them. */
const sealedAtOnce = 100;

/** Returns the accounts with events in a window, one group per transaction. */
async function accountsOf(sql: Queryable, { from, before }: Window): Promise<string[][]> {
  const rows = await sql<{ account_id: string }[]>`
    select distinct account_id from ${eventsSince(sql, from, before)} order by account_id`;
  return partsOf(
    rows.map((row) => row.account_id),
    accountsAtOnce(sql, sealedAtOnce),
  );
}

const failed = 'Some accounts could not be sealed.';

/**
 * Seals accounts together. After a failure, halves the group until only the failing accounts
 * remain.
 */
async function sealMost(
  accountIds: readonly string[],
  failures: Failures,
  seal: (accountIds: readonly string[]) => Promise<void>,
): Promise<void> {
  if (accountIds.length === 0) return;
  try {
    await seal(accountIds);
  } catch (error) {
    if (accountIds.length > 1) {
      const middle = Math.ceil(accountIds.length / 2);
      await sealMost(accountIds.slice(0, middle), failures, seal);
      await sealMost(accountIds.slice(middle), failures, seal);
      return;
    }
    for (const accountId of accountIds) failures.add(accountId, error);
    if (failures.isAway) throw failures.toError(failed);
  }
}

/**
 * Seals all writes since the last run: every event of an ended transaction, and the rows that it
 * affects. Continues at each account's position after an interruption. Calls `sealed` for each
 * account that it sealed. An account that fails does not delay the others: the next run retries it.
 * Throws one error for all failures at the end, or early if the database is down.
 */
export async function sealLagging(
  sql: Sql,
  sealer: Sealer,
  evidences: readonly Evidence[],
  sealed?: (accountId: string) => void,
): Promise<void> {
  const [mark] = await sql<{ next_xid: number }[]>`
    select next_xid from seal_marks where account_id = ''`;
  let from = mark?.next_xid ?? 0;
  await beginStamps(sql, sealer);
  const window = await readWindow(sql);
  if (from > window.next) return await sealRestored(sql, sealer, evidences);
  if (from >= window.before || !(await decidedEverywhere(sql))) return;
  const failures = new Failures();
  for (const before of await endsOf(sql, from, window.before)) {
    for (const some of await accountsOf(sql, { from, before })) {
      // Skip accounts that failed in an earlier window, because they must be sealed in order.
      const accountIds = some.filter((accountId) => !failures.has(accountId));
      await sealMost(accountIds, failures, (ids) =>
        sealWindow(sql, sealer, evidences, ids, { from, before }),
      );
      for (const accountId of accountIds) if (!failures.has(accountId)) sealed?.(accountId);
    }
    if (failures.none) await moveMarks(sql, [''], before);
    from = before;
  }
  if (!failures.none) throw failures.toError(failed);
}

/** Returns the time of the oldest unsealed event, or null if all are sealed. */
export async function oldestUnsealed(sql: Queryable): Promise<Temporal.Instant | null> {
  const [mark] = await sql<{ next_xid: number }[]>`
    select next_xid from seal_marks where account_id = ''`;
  const unsealed = since(sql, mark?.next_xid ?? 0, null);
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select least(
      (select min(at) from events where ${unsealed}),
      (select min(at) from operator_events where ${unsealed})) as at`;
  return row?.at ?? null;
}
