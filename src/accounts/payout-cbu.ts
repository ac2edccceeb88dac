import { system } from '../platform/actor.ts';
import type { Acting, Base } from '../platform/base.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import { refusal } from './codes.ts';
import { type Alongside, noteAccount } from './note.ts';
import { refuseCbu } from './payout-cbu-form.ts';

// The payout destination. An account's own change waits, so that its owners, who are notified at
// once, can cancel a change that is not theirs. The operator's change applies at once.

/** Delay of a change, by the wall clock, which nobody can move. */
export const cbuWait = { hours: 24 } as const;

/** The current and the pending payout CBU. Null if there is none. */
export interface PayoutCbu {
  payout_cbu: string | null;
  next_payout_cbu: string | null;
  next_payout_cbu_at: Temporal.Instant | null;
}

interface LockedPayoutCbu extends PayoutCbu {
  state: string;
}

const columns = (sql: Queryable) => sql`payout_cbu, next_payout_cbu, next_payout_cbu_at`;

export async function readPayoutCbu(sql: Queryable, accountId: string): Promise<PayoutCbu> {
  const [row] = await sql<
    PayoutCbu[]
  >`select ${columns(sql)} from accounts where id = ${accountId}`;
  if (!row) throw refusal('account.not_found', {});
  return row;
}

/**
 * Locks an account, to serialize changes, cancellations and payouts. Throws 404 for an unknown one.
 */
async function hold(tx: Queryable, accountId: string): Promise<LockedPayoutCbu> {
  const [row] = await tx<LockedPayoutCbu[]>`
    select state, ${columns(tx)} from accounts where id = ${accountId} for no key update`;
  if (!row) throw refusal('account.not_found', {});
  return row;
}

export interface CbuChange {
  accountId: string;
  cbu: string;
  /** When the change takes effect. */
  at: Temporal.Instant;
}

/**
 * Requests payouts to another CBU from an instant on. Repeating a pending request changes nothing.
 * Throws 400 for an invalid CBU, 409 if it is already in use, another change is pending, or the
 * account is closed.
 */
export async function askPayoutCbu(
  acting: Acting,
  { accountId, cbu, at }: CbuChange,
  alongside: Alongside,
): Promise<void> {
  refuseCbu(cbu);
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const account = await hold(tx, accountId);
    if (account.state === 'closed') throw refusal('account.closed', {});
    if (account.next_payout_cbu === cbu) return;
    if (account.next_payout_cbu !== null) throw refusal('account.cbu_change_waits', {});
    if (account.payout_cbu === cbu) throw refusal('account.cbu_unchanged', {});
    const [row] = await tx<{ version: number }[]>`
      update accounts set next_payout_cbu = ${cbu}, next_payout_cbu_at = ${at}::timestamptz,
        version = version + 1
      where id = ${accountId} returning version`;
    await noteAccount(tx, acting, {
      accountId,
      version: row?.version ?? 0,
      eventId,
      type: 'account.payout_cbu_asked',
      data: { payout_cbu: account.payout_cbu, next_payout_cbu: cbu, at: at.toString() },
    });
    await alongside(tx);
  });
}

/** Cancels a pending change. Returns false if it is not pending. Throws 409 once it is due. */
export async function cancelPayoutCbu(
  acting: Acting,
  { accountId, cbu }: Pick<CbuChange, 'accountId' | 'cbu'>,
  alongside: Alongside,
): Promise<boolean> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const { next_payout_cbu: waiting, next_payout_cbu_at: at } = await hold(tx, accountId);
    if (waiting !== cbu || at === null) return false;
    if (Temporal.Instant.compare(at, acting.clocks.wall.now()) <= 0) {
      throw refusal('account.cbu_cancel_late', {});
    }
    const [row] = await tx<{ version: number }[]>`
      update accounts set next_payout_cbu = null, next_payout_cbu_at = null, version = version + 1
      where id = ${accountId} returning version`;
    await noteAccount(tx, acting, {
      accountId,
      version: row?.version ?? 0,
      eventId,
      type: 'account.payout_cbu_canceled',
      data: { next_payout_cbu: cbu },
    });
    await alongside(tx);
    return true;
  });
}

const atOnce = 100;

const dueAccounts = (sql: Sql, now: Temporal.Instant) => sql<{ id: string }[]>`
  select id from accounts where next_payout_cbu_at <= ${now}::timestamptz ${withinReach(sql, 'id')}
  order by next_payout_cbu_at limit ${atOnce}`;

/** Applies due changes. Returns their number. */
export async function adoptPayoutCbus(
  base: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  noticeFor: (accountId: string) => Promise<Alongside>,
): Promise<number> {
  const { sql, clocks, recordIds } = base;
  const now = clocks.wall.now();
  let adopted = 0;
  for (const { id: accountId } of await dueAccounts(sql, now)) {
    const alongside = await noticeFor(accountId);
    const eventId = await recordIds.next();
    adopted += await sql.begin(async (tx) => {
      const { payout_cbu: before } = await hold(tx, accountId);
      const [row] = await tx<{ version: number; payout_cbu: string }[]>`
        update accounts set payout_cbu = next_payout_cbu, next_payout_cbu = null,
          next_payout_cbu_at = null, version = version + 1
        where id = ${accountId} and next_payout_cbu_at <= ${now}::timestamptz
        returning version, payout_cbu`;
      if (!row) return 0;
      await noteAccount(
        tx,
        { ...base, actor: system },
        {
          accountId,
          version: row.version,
          eventId,
          type: 'account.payout_cbu_changed',
          data: { payout_cbu: row.payout_cbu, payout_cbu_before: before },
        },
      );
      await alongside(tx);
      return 1;
    });
  }
  return adopted;
}
