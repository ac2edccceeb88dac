import { isDeepStrictEqual } from 'node:util';
import type { Centavos } from '../kernel/money.ts';
import type { Acting } from '../platform/base.ts';
import { type FieldValues, refuseOutdated } from '../platform/form-version.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { highestLimit } from './account.ts';
import { refusal } from './codes.ts';
import { type Alongside, noteAccount } from './note.ts';
import { refuseName } from './open.ts';
import { readPayoutCbu } from './payout-cbu.ts';
import { refuseCbu } from './payout-cbu-form.ts';
import { lockAccount } from './standing.ts';

/** The operator's changes to an account. Absent fields keep their values. */
export interface AccountChange {
  accountId: string;
  /** The name that payers read. */
  name?: string | undefined;
  /** The form's version (`src/platform/form-version.ts`); an outdated one is refused. */
  seen?: string | undefined;
  /** CBU for payouts, 22 digits; null removes it. */
  payoutCbu?: string | null | undefined;
  /** True if chargebacks and refunds return fees and their VAT in proportion. */
  returnsFees?: boolean | undefined;
  /** True if refunds may exceed the account's total balance. */
  refundsBelowZero?: boolean | undefined;
  /** True to return late approvals to their payers. */
  returnsLateApprovals?: boolean | undefined;
  /**
   * Refunds of a payment above this amount in the portal need two people. Null, the default,
   * disables the limit.
   */
  refundApprovalAbove?: Centavos | null;
  /**
   * Last day of a month, 1 to 31, on which that month's card debits can be requested. Shorter
   * months end on their last day. Null restores the configured day.
   */
  cardCutDay?: number | null | undefined;
  /** Null restores the configured limit. */
  limits?: { [Name in keyof AccountLimits]?: AccountLimits[Name] | undefined };
}

/** An account's limits. Null means the configured one, 0 unlimited. */
export interface AccountLimits {
  /** Emails per mailbox within 24 hours. Further ones wait. */
  letters_a_day: number | null;
  /** Emails per minute. Further ones wait. */
  letters_a_minute: number | null;
  /** Concurrent unsigned mandates. Further ones are rejected. */
  unsigned_mandates: number | null;
}

export interface AccountSettings extends AccountLimits {
  payout_cbu: string | null;
  returns_fees: boolean;
  refunds_below_zero: boolean;
  returns_late_approvals: boolean;
  /** Centavos. Null disables dual approval. */
  refund_approval_above: Centavos | null;
  /** Null for the configured day. */
  card_cut_day: number | null;
}

function refuseCutDay(day: number): void {
  if (Number.isInteger(day) && day >= 1 && day <= 31) return;
  throw refusal('account.cut_day_invalid', {});
}

function refuseAbove(above: Centavos | null | undefined): void {
  if (above === undefined || above === null || above >= 0) return;
  throw refusal('account.refund_limit_invalid', {});
}

function refuseLimits(limits: AccountChange['limits'] = {}): void {
  for (const limit of Object.values(limits)) {
    if (limit == null || (Number.isInteger(limit) && limit >= 0 && limit <= highestLimit)) continue;
    throw refusal('account.limit_invalid', { most: highestLimit });
  }
}

const limitColumns = (sql: Queryable) => sql`
  (settings->>'letters_a_day')::int as letters_a_day,
  (settings->>'letters_a_minute')::int as letters_a_minute,
  (settings->>'unsigned_mandates')::int as unsigned_mandates`;

/** Reads an account's own limits. All are null for an unknown account. */
export async function readLimitsOf(sql: Queryable, accountId: string): Promise<AccountLimits> {
  const [limits] = await sql<AccountLimits[]>`
    select ${limitColumns(sql)} from accounts where id = ${accountId}`;
  return limits ?? { letters_a_day: null, letters_a_minute: null, unsigned_mandates: null };
}

export async function readSettings(
  sql: Queryable,
  accountId: string,
): Promise<AccountSettings | null> {
  const [settings] = await sql<AccountSettings[]>`
    select payout_cbu, coalesce((settings->>'returns_fees')::boolean, false) as returns_fees,
      coalesce((settings->>'refunds_below_zero')::boolean, false) as refunds_below_zero,
      coalesce((settings->>'returns_late_approvals')::boolean, false) as returns_late_approvals,
      (settings->>'refund_approval_above')::bigint as refund_approval_above,
      (settings->>'card_cut_day')::int as card_cut_day, ${limitColumns(sql)}
    from accounts where id = ${accountId}`;
  return settings ?? null;
}

export const settingsFormValues = (name: string, settings: AccountSettings): FieldValues => ({
  name,
  returns_fees: settings.returns_fees ? 'yes' : 'no',
  refunds_below_zero: settings.refunds_below_zero ? 'yes' : 'no',
  returns_late_approvals: settings.returns_late_approvals ? 'yes' : 'no',
  card_cut_day: String(settings.card_cut_day ?? ''),
  letters_a_day: String(settings.letters_a_day ?? ''),
  letters_a_minute: String(settings.letters_a_minute ?? ''),
  unsigned_mandates: String(settings.unsigned_mandates ?? ''),
});

/**
 * Locks an account's name and settings until the transaction ends. Throws 404 for an unknown
 * account.
 */
async function lockSettings(
  tx: Transaction,
  accountId: string,
): Promise<{ name: string; settings: AccountSettings }> {
  await lockAccount(tx, accountId);
  const [account] = await tx<{ name: string }[]>`select name from accounts where id = ${accountId}`;
  const settings = await readSettings(tx, accountId);
  if (!settings || !account) throw refusal('account.not_found', {});
  return { name: account.name, settings };
}

const settingsAfter = (
  before: AccountSettings,
  { payoutCbu, cardCutDay, refundApprovalAbove, limits = {}, ...change }: AccountChange,
): AccountSettings => ({
  ...before,
  ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
  payout_cbu: payoutCbu === undefined ? before.payout_cbu : payoutCbu,
  returns_fees: change.returnsFees ?? before.returns_fees,
  refunds_below_zero: change.refundsBelowZero ?? before.refunds_below_zero,
  returns_late_approvals: change.returnsLateApprovals ?? before.returns_late_approvals,
  refund_approval_above:
    refundApprovalAbove === undefined ? before.refund_approval_above : refundApprovalAbove,
  card_cut_day: cardCutDay === undefined ? before.card_cut_day : cardCutDay,
});

function refuseChange({ name, payoutCbu, cardCutDay, limits, ...change }: AccountChange): void {
  if (name !== undefined) refuseName(name);
  if (payoutCbu !== undefined && payoutCbu !== null) refuseCbu(payoutCbu);
  if (cardCutDay !== undefined && cardCutDay !== null) refuseCutDay(cardCutDay);
  refuseLimits(limits);
  refuseAbove(change.refundApprovalAbove);
}

export type SetAccount = (change: AccountChange, alongside?: Alongside) => Promise<AccountSettings>;

/**
 * Changes an account's settings and returns all of them. A CBU applies at once and replaces a
 * pending one. A change of the CBU or of dual approval also runs `alongside`. Throws 400 for an
 * invalid name, CBU, day or limit, 404 for an unknown account, 409 if it changed since the form was
 * loaded.
 */
export const setAccount =
  (acting: Acting): SetAccount =>
  async (change, alongside) => {
    refuseChange(change);
    const { accountId, payoutCbu } = change;
    const eventId = await acting.recordIds.next();
    return await acting.sql.begin(async (tx) => {
      const { name: nameBefore, settings: before } = await lockSettings(tx, accountId);
      const after = settingsAfter(before, change);
      const { name = nameBefore } = change;
      const { next_payout_cbu: waiting } = await readPayoutCbu(tx, accountId);
      const dropped = payoutCbu === undefined ? null : waiting;
      const same = name === nameBefore && isDeepStrictEqual(before, after);
      if (same && dropped === null) return after;
      refuseOutdated(change.seen, settingsFormValues(nameBefore, before));
      const keeps = dropped === null;
      const [row] = await tx<{ version: number }[]>`
        update accounts set version = version + 1, name = ${name}, payout_cbu = ${after.payout_cbu},
          next_payout_cbu = case when ${keeps}::boolean then next_payout_cbu end,
          next_payout_cbu_at = case when ${keeps}::boolean then next_payout_cbu_at end,
          settings = jsonb_strip_nulls(settings || jsonb_build_object(
            'returns_fees', ${after.returns_fees}::boolean,
            'refunds_below_zero', ${after.refunds_below_zero}::boolean,
            'returns_late_approvals', ${after.returns_late_approvals}::boolean,
            'refund_approval_above', ${after.refund_approval_above}::bigint,
            'card_cut_day', ${after.card_cut_day}::int,
            'letters_a_day', ${after.letters_a_day}::int,
            'letters_a_minute', ${after.letters_a_minute}::int,
            'unsigned_mandates', ${after.unsigned_mandates}::int))
        where id = ${accountId} returning version`;
      await noteAccount(tx, acting, {
        accountId,
        version: row?.version ?? 0,
        eventId,
        type: 'account.changed',
        data: {
          ...after,
          before,
          ...(name !== nameBefore && { name, name_before: nameBefore }),
          ...(dropped !== null && { next_payout_cbu_dropped: dropped }),
        },
      });
      const needsNotice =
        before.payout_cbu !== after.payout_cbu ||
        before.refund_approval_above !== after.refund_approval_above;
      if (needsNotice || dropped !== null) await alongside?.(tx);
      return after;
    });
  };

export interface Renaming {
  accountId: string;
  name: string;
}

/**
 * Renames an account for payers. Returns false if unchanged. Throws 400 for an invalid name, 404
 * for an unknown account.
 */
export async function renameAccount(
  acting: Acting,
  { accountId, name }: Renaming,
): Promise<boolean> {
  refuseName(name);
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const [before] = await tx<{ name: string }[]>`
      select name from accounts where id = ${accountId} for no key update`;
    if (!before) throw refusal('account.not_found', {});
    if (before.name === name) return false;
    const [row] = await tx<{ version: number }[]>`
      update accounts set name = ${name}, version = version + 1 where id = ${accountId}
      returning version`;
    await noteAccount(tx, acting, {
      accountId,
      version: row?.version ?? 0,
      eventId,
      type: 'account.changed',
      data: { name, name_before: before.name },
    });
    return true;
  });
}
