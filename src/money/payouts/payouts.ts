import { lockAccount, notActive } from '../../accounts/index.ts';
import { appendEvents } from '../../events/index.ts';
import { type Centavos, toJsonNumber, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { entry, ledgerAccounts, posting, postJournal } from '../ledger/index.ts';
import { letGoBy } from '../proposals/index.ts';
import { refusal } from './codes.ts';
import { stampedPayouts } from './evidence.ts';
import { payableOf } from './payable.ts';
import { columns, type PayoutRow } from './reads.ts';
import { leaveFile, lockFiles, queueTransfer } from './transfers.ts';

interface PayoutMovement {
  payout: Pick<PayoutRow, 'account_id' | 'id' | 'amount'>;
  kind: 'payout' | 'payout_return';
  actor: Actor;
  data: Record<string, unknown>;
}

interface Ids {
  journal: number;
  event: number;
}

/** Books a payout or its return, with its event. */
async function book(
  sql: Queryable,
  { payout, kind, actor, data }: PayoutMovement,
  ids: Ids,
  at: Temporal.Instant,
): Promise<void> {
  const leaves = kind === 'payout' ? payout.amount : -payout.amount;
  await postJournal(sql, {
    accountId: payout.account_id,
    id: ids.journal,
    kind,
    cause: `payout:${payout.id}`,
    at,
    entry: entry([
      [ledgerAccounts.holderAvailable, leaves],
      [ledgerAccounts.clearingPayouts, -leaves],
    ]),
  });
  await appendEvents(sql, [
    {
      accountId: payout.account_id,
      entity: 'payout',
      entityId: String(payout.id),
      version: kind === 'payout' ? 1 : 2,
      id: ids.event,
      type: kind === 'payout' ? 'payout.sent' : 'payout.returned',
      at,
      actor,
      data: { amount: toJsonNumber(payout.amount), ...data },
    },
  ]);
}

async function insert(sql: Queryable, row: PayoutRow): Promise<void> {
  const [stamp = null] = await stampedPayouts.stamps(sql, [row]);
  await sql`
    insert into payouts (account_id, id, reference, state, amount, cbu, sent_at, ordered_by, stamp)
    values (${row.account_id}, ${row.id}, ${row.reference}, ${row.state}, ${row.amount}, ${row.cbu},
      ${row.sent_at}::timestamptz, ${row.ordered_by}, ${stamp})`;
}

export interface NewPayout {
  accountId: string;
  /** Centavos. Null for the maximum. */
  amount: Centavos | null;
  /** The operator's idempotency reference. */
  reference: string;
  actor: Actor;
}

/**
 * Locks the account, so that concurrent payouts see the balance that the others leave. Returns its
 * CBU, or null. Throws 403 if the account is suspended, 404 for an unknown one.
 */
export async function lockPayoutCbu(sql: Queryable, accountId: string): Promise<string | null> {
  const account = await lockAccount(sql, accountId);
  if (account.state === 'suspended') {
    throw notActive(account.state);
  }
  return account.payout_cbu;
}

async function readPayout(
  sql: Queryable,
  accountId: string,
  reference: string,
): Promise<PayoutRow | null> {
  const [row] = await sql<PayoutRow[]>`
    select ${columns(sql)} from payouts
    where account_id = ${accountId} and reference = ${reference}`;
  return row ?? null;
}

/** A payout whose account is locked. */
export interface LockedPayout extends NewPayout {
  cbu: string | null;
  at: Temporal.Instant;
  /** The proposing user. Null or absent if not named. */
  by?: number | null;
}

interface PayoutIds extends Ids {
  id: number;
}

type Sent = { outcome: 'sent' | 'known'; payout: PayoutRow };

/**
 * Pays out within a transaction that has locked the account. Returns `known` for a repeated
 * reference. Throws 409 without a CBU, if the balance is too low, if anything in the account's
 * books is forged, or if the reference has another amount.
 */
export async function sendIn(
  sql: Queryable,
  lockedPayout: LockedPayout,
  ids: PayoutIds,
): Promise<Sent>;
/** Pays out up to `most`. Above it, pays nothing and returns the amount. */
export async function sendIn(
  sql: Queryable,
  lockedPayout: LockedPayout & { most: Centavos },
  ids: PayoutIds,
): Promise<Sent | { outcome: 'above'; amount: Centavos }>;
export async function sendIn(
  sql: Queryable,
  lockedPayout: LockedPayout & { most?: Centavos },
  { id, ...ids }: PayoutIds,
): Promise<Sent | { outcome: 'above'; amount: Centavos }> {
  const { accountId, reference, actor, cbu, at, most, by = null } = lockedPayout;
  const known = await readPayout(sql, accountId, reference);
  if (known) {
    if (lockedPayout.amount === null || lockedPayout.amount === known.amount) {
      return { outcome: 'known', payout: known };
    }
    throw refusal('payout.reference_taken', { reference, amount: known.amount });
  }
  if (cbu === null) {
    throw refusal('payout.no_cbu', {});
  }
  const amount = await payableOf(sql, lockedPayout);
  if (most !== undefined && amount > most) return { outcome: 'above', amount };
  const payout: PayoutRow = {
    account_id: accountId,
    id,
    reference,
    state: 'sent',
    amount,
    cbu,
    sent_at: at,
    returned_at: null,
    return_reason: null,
    ordered_by: by,
  };
  await insert(sql, payout);
  await queueTransfer(sql, payout);
  await book(sql, { payout, kind: 'payout', actor, data: { reference } }, ids, at);
  return { outcome: 'sent', payout };
}

/**
 * Returns the sum of one person's payouts to an account since an instant, including account
 * requests that they alone approved. Payouts without a named person count for everybody, and if
 * `by` is null all payouts count, so that omitting the name does not evade the limit. Returned
 * payouts count too, because only their sender confirms the return.
 */
export async function paidOutSince(
  sql: Queryable,
  { accountId, by }: { accountId: string; by: number | null },
  moment: Temporal.Instant,
): Promise<Centavos> {
  const [row] = await sql<{ paid: Centavos }[]>`
    select coalesce(sum(amount), 0)::bigint as paid from payouts
    where account_id = ${accountId} and sent_at >= ${moment}::timestamptz
      and (${by}::bigint is null or ordered_by is null or ordered_by = ${by}::bigint
        ${by === null ? sql`` : sql`or reference in ${letGoBy(sql, { accountId, by })}`})`;
  return row?.paid ?? zero;
}

export interface PayoutReturn {
  accountId: string;
  id: number;
  reason: string;
  /** True if the bank refused the payout's file or returned the money. */
  bankAnswered?: boolean;
  actor: Actor;
}

export type ReturnPayout = (giveBack: PayoutReturn) => Promise<'returned' | 'known'>;

/**
 * Records a payout as returned or canceled. Its money is available again, and bank files not yet
 * downloaded omit it. Throws 404 for an unknown payout, 409 if its file was downloaded and
 * `bankAnswered` is not set.
 */
export const returnPayout =
  ({ sql, clocks, recordIds }: Base): ReturnPayout =>
  async ({ accountId, id, reason, bankAnswered = false, actor }) => {
    const [journal = 0, event = 0, eventId = 0] = await recordIds.take(3);
    const ids = { journal, event };
    return await posting(sql, async (tx) => {
      await lockFiles(tx);
      const now = clocks.business.now();
      const [payout] = await tx<PayoutRow[]>`
        update payouts set state = 'returned', returned_at = ${now}::timestamptz,
          return_reason = ${reason}
        where account_id = ${accountId} and id = ${id} and state = 'sent'
        returning ${columns(tx)}`;
      if (payout) {
        await leaveFile(tx, { payout, bankAnswered, clocks, actor, eventId });
        await book(tx, { payout, kind: 'payout_return', actor, data: { reason } }, ids, now);
        return 'returned';
      }
      const [known] = await tx`
        select 1 from payouts where account_id = ${accountId} and id = ${id}`;
      if (!known) throw refusal('payout.not_found', {});
      return 'known';
    });
  };

/** Lists an account's payouts before the given id, newest first. */
export const latestPayouts = (
  sql: Queryable,
  accountId: string,
  { behind, limit }: { behind: number | null; limit: number },
): Promise<PayoutRow[]> => sql<PayoutRow[]>`
  select ${columns(sql)} from payouts
  where account_id = ${accountId} and id < ${behind ?? Number.MAX_SAFE_INTEGER}::bigint
  order by id desc limit ${limit}`;
