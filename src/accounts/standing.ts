import type { Acting } from '../platform/base.ts';
import { refusal as anyRefusal } from '../platform/codes.ts';
import type { Refusal } from '../platform/errors.ts';
import { tellAll } from '../platform/postgres/broadcast.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import { keyRevokedTopic } from './keys/keys.ts';
import { noteAccount } from './note.ts';

/**
 * States of an account. `suspended`: keys can read, but new requests, online payments and payouts
 * are refused; reported money is still recorded. `closed`: keys get 401, permanently.
 */
export const accountStates = ['active', 'suspended', 'closed'] as const;
export type AccountState = (typeof accountStates)[number];

const moves = {
  suspend: { from: ['active'], to: 'suspended', event: 'account.suspended' },
  reopen: { from: ['suspended'], to: 'active', event: 'account.reopened' },
  close: { from: ['active', 'suspended'], to: 'closed', event: 'account.closed' },
} as const satisfies Record<
  string,
  { from: readonly AccountState[]; to: AccountState; event: string }
>;

export type AccountMove = keyof typeof moves;

export interface MoveAccount {
  accountId: string;
  move: AccountMove;
  /** Stored with the event. */
  reason: string;
  /** Optional check under the account's lock. Throws to refuse. */
  check?: (tx: Queryable) => Promise<void>;
}

/**
 * Changes an account's state, and clears its keys from every process's cache. Returns false if
 * unchanged. Throws 404 for an unknown account, 409 if its state does not allow it.
 */
export async function moveAccount(
  acting: Acting,
  { accountId, move, reason, check }: MoveAccount,
): Promise<boolean> {
  const { from, to, event } = moves[move];
  const eventId = await acting.recordIds.next();
  const moved = await acting.sql.begin(async (tx) => {
    const [account] = await tx<{ state: AccountState }[]>`
      select state from accounts where id = ${accountId} for no key update`;
    if (!account) throw refusal('account.not_found', {});
    if (account.state === to) return false;
    // Only a closed account gets here. The others allow every move to another state.
    if (!from.some((state) => state === account.state)) throw refusal('account.closed', {});
    await check?.(tx);
    const [row] = await tx<{ version: number }[]>`
      update accounts set state = ${to}, version = version + 1 where id = ${accountId}
      returning version`;
    await noteAccount(tx, acting, {
      accountId,
      version: row?.version ?? 0,
      eventId,
      type: event,
      data: { reason, state: to, before: { state: account.state } },
    });
    return true;
  });
  if (moved) await tellAll(acting.sql, keyRevokedTopic);
  return moved;
}

/** Account data that determine whether its money may move. */
export interface LockedAccount {
  state: AccountState;
  payout_cbu: string | null;
  settings: {
    /** True if refunds may exceed the account's balance. */
    refunds_below_zero?: boolean;
    /** Refunds of a payment above this many centavos in the portal need two people. */
    refund_approval_above?: number;
  };
}

/**
 * Locks an account until the transaction ends, so that concurrent withdrawals see each other's
 * balance. Throws 404 for an unknown account.
 */
export async function lockAccount(sql: Queryable, accountId: string): Promise<LockedAccount> {
  const [account] = await sql<LockedAccount[]>`
    select state, payout_cbu, settings from accounts where id = ${accountId} for no key update`;
  if (!account) throw refusal('account.not_found', {});
  return account;
}

/**
 * Returns the refusal of an operation that needs an active account. Keys and users get the same
 * code.
 */
export const notActive = (state: AccountState): Refusal =>
  state === 'closed' ? refusal('account.closed', {}) : anyRefusal('account_suspended', {});

/** Returns true if payers can pay online for the account now. */
export async function takesPayments(sql: Queryable, accountId: string): Promise<boolean> {
  const [account] = await sql<{ state: AccountState }[]>`
    select state from accounts where id = ${accountId}`;
  return account?.state === 'active';
}

/**
 * Throws 409 unless the account is active, so that it gets no online payments and no new requests.
 * Reported facts are still recorded.
 */
export async function refuseUnlessActive(
  sql: Queryable,
  accountId: string,
  refused = (): Refusal => refusal('account.takes_no_payments', {}),
): Promise<void> {
  if (!(await takesPayments(sql, accountId))) throw refused();
}
