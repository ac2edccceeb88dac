import { operatorBooks } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  lockRequest,
  type RequestKey,
  readRequests,
  requestRefusal,
  takesFoundMoney,
} from '../../requests/index.ts';
import { forgedAmongFacts } from '../../seals/index.ts';
import { channels } from '../channels/index.ts';
import type { PrepareFacts } from '../collections/index.ts';
import { writeResults } from '../collections/index.ts';
import {
  entry,
  type LedgerAccount,
  ledgerAccounts,
  onOpenDay,
  posting,
  postJournal,
} from '../ledger/index.ts';
import { refusal } from './codes.ts';
import { stampedSuspense } from './evidence.ts';
import { columns, readSuspense, type SuspenseRow } from './reads.ts';

interface Resolution {
  state: 'assigned' | 'returned' | 'reversed';
  to: RequestKey | null;
  note: string;
  actor: Actor;
  /** The ledger account that takes the money over. */
  against: LedgerAccount;
}

interface Ids {
  journal: number;
  event: number;
}

/** Throws 409 if no process of the service wrote the suspense money. */
async function refuseForged(sql: Queryable, { id }: SuspenseRow): Promise<void> {
  const forged = await forgedAmongFacts(sql, stampedSuspense, [{ account_id: operatorBooks, id }]);
  if (forged.length === 0) return;
  throw refusal('suspense.forged', { id });
}

/**
 * Takes open money out of suspense in the transaction of `sql`. Returns false if it was not open.
 */
async function resolve(
  sql: Queryable,
  row: SuspenseRow,
  { state, to, note, actor, against }: Resolution,
  ids: Ids,
  now: Temporal.Instant,
): Promise<boolean> {
  const moved = await sql`
    update suspense set state = ${state}, to_account_id = ${to?.accountId ?? null},
      to_request_id = ${to?.id ?? null}, note = ${note}, resolved_at = ${now}::timestamptz
    where account_id = ${operatorBooks} and id = ${row.id} and state = 'open' returning id`;
  if (moved.length === 0) return false;
  await refuseForged(sql, row);
  await postJournal(sql, {
    accountId: operatorBooks,
    id: ids.journal,
    kind: `suspense_${state}`,
    cause: `suspense:${row.id}`,
    at: now,
    entry: entry([
      [ledgerAccounts.suspense, row.amount],
      [against, -row.amount],
    ]),
  });
  await appendEvents(sql, [
    {
      accountId: operatorBooks,
      entity: 'suspense',
      entityId: String(row.id),
      version: 2,
      id: ids.event,
      type: `suspense.${state}`,
      at: now,
      actor,
      data: { note, ...(to && { account_id: to.accountId, request_id: to.id }) },
    },
  ]);
  return true;
}

const describe = (row: SuspenseRow): string =>
  row.state === 'assigned'
    ? `assigned to request ${row.to_request_id} of account ${row.to_account_id}`
    : row.state === 'reversed'
      ? 'reversed by its bank or network'
      : 'returned';

const resolvedBefore = (row: SuspenseRow) =>
  refusal('suspense.resolved', { id: row.id, outcome: describe(row) });

export interface Assignment {
  id: number;
  to: RequestKey;
  note: string;
  actor: Actor;
}

export type AssignSuspense = (assignment: Assignment) => Promise<'assigned' | 'known'>;

/**
 * Locks the request, so that its state does not change until the money is booked. Throws 404 for an
 * unknown one, 409 for a debit in process.
 */
async function lockTarget(sql: Queryable, to: RequestKey): Promise<void> {
  const request = await lockRequest(sql, to);
  if (!request) throw requestRefusal('request.not_found', {});
  if (takesFoundMoney(request.state)) return;
  throw refusal('suspense.request_in_process', { state: request.state });
}

/**
 * Assigns suspense money to its request as a collection on the original payment day, in one
 * transaction. The request becomes paid, even a rejected or canceled debit, and a pending debit is
 * no longer submitted. Returns `known` for a repeat. Throws 404 for unknown money or an unknown
 * request, 409 if the money is forged, resolved otherwise or recorded before, or the debit is in
 * process.
 */
export const assignSuspense =
  (base: Base, prepare: PrepareFacts): AssignSuspense =>
  (assignment) =>
    onOpenDay(() => assign(base, prepare, assignment));

async function assign(
  { sql, clocks, recordIds }: Base,
  prepare: PrepareFacts,
  { id, to, note, actor }: Assignment,
): ReturnType<AssignSuspense> {
  const [row, [request]] = await Promise.all([readSuspense(sql, id), readRequests(sql, [to])]);
  if (!request) throw requestRefusal('request.not_found', {});
  const ids = { journal: await recordIds.next(), event: await recordIds.next() };
  const writes = await prepare([
    {
      request,
      type: 'collected',
      channel: row.channel,
      label: row.channel_label,
      amount: row.amount,
      paidAt: row.paid_at,
      source: row.source,
      sourceRef: row.source_ref,
      actor,
      attemptId: null,
      details: {},
    },
  ]);
  const against = channels[row.channel].clearing;
  const resolution = { state: 'assigned', to, note, actor, against } as const;
  return await sql.begin(async (tx) => {
    if (await resolve(tx, row, resolution, ids, clocks.business.now())) {
      await lockTarget(tx, to);
      const recorded = await writeResults(tx, writes);
      if (recorded.size === 1) return 'assigned';
      throw refusal('suspense.recorded_before', { account: to.accountId });
    }
    const now = await readSuspense(tx, id);
    if (now.to_account_id === to.accountId && now.to_request_id === to.id) return 'known';
    throw resolvedBefore(now);
  });
}

export interface SuspenseReturn {
  id: number;
  note: string;
  actor: Actor;
}

export type ReturnSuspense = (giveBack: SuspenseReturn) => Promise<'returned' | 'known'>;

/**
 * Records that suspense money was returned to its payer. Returns `known` for a repeat. Throws 404
 * for unknown money, 409 if it was assigned or reversed, or is forged.
 */
export const returnSuspense =
  ({ sql, clocks, recordIds }: Base): ReturnSuspense =>
  async ({ id, note, actor }) => {
    const row = await readSuspense(sql, id);
    const ids = { journal: await recordIds.next(), event: await recordIds.next() };
    const against = ledgerAccounts.clearingPayouts;
    const resolution = { state: 'returned', to: null, note, actor, against } as const;
    return await posting(sql, async (tx) => {
      if (await resolve(tx, row, resolution, ids, clocks.business.now())) return 'returned';
      const now = await readSuspense(tx, id);
      if (now.state === 'returned') return 'known';
      throw resolvedBefore(now);
    });
  };

export type ReverseSuspense = (
  reversal: SuspenseReturn,
) => Promise<'reversed' | 'known' | 'returned'>;

/**
 * Records that the bank or network took the money back. Returns `known` for a repeat, `returned` if
 * the operator had already returned it, so that it left twice. Throws 404 for unknown money, 409 if
 * it was assigned or is forged.
 */
export const reverseSuspense =
  ({ sql, clocks, recordIds }: Base): ReverseSuspense =>
  async ({ id, note, actor }) => {
    const row = await readSuspense(sql, id);
    const ids = { journal: await recordIds.next(), event: await recordIds.next() };
    const against = channels[row.channel].clearing;
    const resolution = { state: 'reversed', to: null, note, actor, against } as const;
    return await posting(sql, async (tx) => {
      if (await resolve(tx, row, resolution, ids, clocks.business.now())) return 'reversed';
      const now = await readSuspense(tx, id);
      if (now.state === 'reversed') return 'known';
      if (now.state === 'returned') return 'returned';
      throw resolvedBefore(now);
    });
  };

/** Finds money that is or was in suspense by its source and references. */
export const findAllUnmatched = (
  sql: Queryable,
  source: string,
  sourceRefs: readonly string[],
): Promise<SuspenseRow[]> => sql<SuspenseRow[]>`
  select ${columns(sql)} from suspense where account_id = ${operatorBooks}
    and source = ${source} and source_ref = any(${[...sourceRefs]}::text[])`;

/** Finds money that is or was in suspense. Returns null if there is none. */
export async function findUnmatched(
  sql: Queryable,
  source: string,
  sourceRef: string,
): Promise<SuspenseRow | null> {
  const [row = null] = await findAllUnmatched(sql, source, [sourceRef]);
  return row;
}
