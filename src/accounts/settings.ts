import { cbuFault } from '../kernel/cbu.ts';
import type { Clocks } from '../platform/clocks.ts';
import { notFound, Refusal } from '../platform/errors.ts';
import type { Sql, Transaction } from '../platform/postgres/connect.ts';
import { refuseName } from './account.ts';
import type { WriteAudit } from './audit-trail.ts';

/** What the operator sets for an account; what is left out stays as it is. */
export interface AccountChange {
  accountId: string;
  /** The bank account that payouts go to, 22 digits; null: none. */
  payoutCbu?: string | null;
  /** Whether chargebacks and refunds give fees and their VAT back in proportion. */
  returnsFees?: boolean;
  /** Through this day of a month, 1 to 31, its card debits are taken; in a shorter one its last. */
  cardCutDay?: number;
}

export interface AccountSettings {
  payout_cbu: string | null;
  returns_fees: boolean;
  /** Null: the day that the configuration gives to all accounts. */
  card_cut_day: number | null;
}

const cbuFaults = {
  format: 'The CBU must have 22 digits.',
  'first-check-digit': 'The check digit of the bank and branch (8th digit) of the CBU is wrong.',
  'second-check-digit': 'The check digit of the account (22nd digit) of the CBU is wrong.',
  cvu: 'This is a CVU: payouts go to the CBU of a bank account.',
} as const;

function refuseCbu(cbu: string): void {
  const fault = cbuFault(cbu);
  if (fault !== null) throw new Refusal('invalid', cbuFaults[fault]);
}

function refuseCutDay(day: number): void {
  if (Number.isInteger(day) && day >= 1 && day <= 31) return;
  throw new Refusal('invalid', 'The cut day of card debits must be from 1 to 31.');
}

async function lockSettings(tx: Transaction, accountId: string): Promise<AccountSettings> {
  const [settings] = await tx<AccountSettings[]>`
    select payout_cbu, coalesce((settings->>'returns_fees')::boolean, false) as returns_fees,
      (settings->>'card_cut_day')::int as card_cut_day
    from accounts where id = ${accountId} for no key update`;
  if (!settings) throw notFound('account');
  return settings;
}

const isSame = (a: AccountSettings, b: AccountSettings): boolean =>
  a.payout_cbu === b.payout_cbu &&
  a.returns_fees === b.returns_fees &&
  a.card_cut_day === b.card_cut_day;

export type SetAccount = (change: AccountChange) => Promise<AccountSettings>;

/** Changes an account's settings and answers them all. 400: not a CBU or day; 404: no such account. */
export const setAccount =
  (sql: Sql, clocks: Clocks, audit: WriteAudit): SetAccount =>
  async ({ accountId, payoutCbu, returnsFees, cardCutDay }) => {
    if (payoutCbu !== undefined && payoutCbu !== null) refuseCbu(payoutCbu);
    if (cardCutDay !== undefined) refuseCutDay(cardCutDay);
    return await sql.begin(async (tx) => {
      const before = await lockSettings(tx, accountId);
      const after = {
        payout_cbu: payoutCbu === undefined ? before.payout_cbu : payoutCbu,
        returns_fees: returnsFees ?? before.returns_fees,
        card_cut_day: cardCutDay ?? before.card_cut_day,
      };
      if (isSame(before, after)) return after;
      const [row] = await tx<{ version: number }[]>`
        update accounts set version = version + 1, payout_cbu = ${after.payout_cbu},
          settings = settings || jsonb_strip_nulls(jsonb_build_object(
            'returns_fees', ${after.returns_fees}::boolean,
            'card_cut_day', ${after.card_cut_day}::int))
        where id = ${accountId} returning version`;
      await audit(tx, {
        accountId,
        entity: 'account',
        entityId: accountId,
        version: row?.version ?? 0,
        type: 'account.changed',
        at: clocks.business.now(),
        data: { ...after },
      });
      return after;
    });
  };

/** An account's settings. 404: no such account. */
export async function readSettingsOf(sql: Sql, accountId: string): Promise<AccountSettings> {
  return await sql.begin((tx) => lockSettings(tx, accountId));
}

export interface Renaming {
  accountId: string;
  name: string;
}

/** Gives an account another name, which payers see from now on. False where it has it already. */
export async function renameAccount(
  sql: Sql,
  clocks: Clocks,
  audit: WriteAudit,
  { accountId, name }: Renaming,
): Promise<boolean> {
  refuseName(name);
  return await sql.begin(async (tx) => {
    const [before] = await tx<{ name: string }[]>`
      select name from accounts where id = ${accountId} for no key update`;
    if (!before) throw notFound('account');
    if (before.name === name) return false;
    const [row] = await tx<{ version: number }[]>`
      update accounts set name = ${name}, version = version + 1 where id = ${accountId}
      returning version`;
    await audit(tx, {
      accountId,
      entity: 'account',
      entityId: accountId,
      version: row?.version ?? 0,
      type: 'account.changed',
      at: clocks.business.now(),
      data: { name, name_before: before.name },
    });
    return true;
  });
}
