import { cbuFault } from '../kernel/cbu.ts';
import type { Clocks } from '../platform/clocks.ts';
import { notFound, Refusal } from '../platform/errors.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import type { WriteAudit } from './audit-trail.ts';

/** What the operator sets for an account; what is left out stays as it is. */
export interface AccountChange {
  accountId: string;
  /** The bank account that payouts go to, 22 digits; null: none. */
  payoutCbu?: string | null;
  /** Whether chargebacks and refunds give fees and their VAT back in proportion. */
  returnsFees?: boolean;
}

export interface AccountSettings {
  payout_cbu: string | null;
  returns_fees: boolean;
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

export type SetAccount = (change: AccountChange) => Promise<AccountSettings>;

/** Changes an account's settings and answers them all. 400: not a CBU; 404: no such account. */
export const setAccount =
  (sql: Sql, clocks: Clocks, audit: WriteAudit): SetAccount =>
  async ({ accountId, payoutCbu, returnsFees }) => {
    if (payoutCbu) refuseCbu(payoutCbu);
    return await sql.begin(async (tx) => {
      const [before] = await tx<AccountSettings[]>`
        select payout_cbu, coalesce((settings->>'returns_fees')::boolean, false) as returns_fees
        from accounts where id = ${accountId} for no key update`;
      if (!before) throw notFound('account');
      const after = {
        payout_cbu: payoutCbu === undefined ? before.payout_cbu : payoutCbu,
        returns_fees: returnsFees ?? before.returns_fees,
      };
      if (after.payout_cbu === before.payout_cbu && after.returns_fees === before.returns_fees) {
        return after;
      }
      const [row] = await tx<{ version: number }[]>`
        update accounts set version = version + 1, payout_cbu = ${after.payout_cbu},
          settings = settings || jsonb_build_object('returns_fees', ${after.returns_fees}::boolean)
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
