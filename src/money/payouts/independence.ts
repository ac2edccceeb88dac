import { changersOf, madeOperator } from '../../events/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { countOperators } from '../../users/index.ts';
import { isOfAccount, type Proposal } from '../proposals/index.ts';
import { refusal } from './codes.ts';

/** Rules on who may approve a payout above the limit. */
export interface Independence {
  /**
   * Days for which a change of members or CBU bars its author from approving. 0 disables the rule.
   */
  changeDays: number;
}

const sinceOf = ({ changeDays }: Independence, at: Temporal.Instant): Temporal.Instant =>
  at.subtract({ hours: changeDays * 24 });

/**
 * Throws 403 if this operator recently changed the account's members or CBU, or if a command
 * without an author did.
 */
export async function refuseChanger(
  sql: Queryable,
  terms: Independence,
  { accountId, by, at }: { accountId: string; by: number; at: Temporal.Instant },
): Promise<void> {
  const { changeDays: days } = terms;
  if (days === 0) return;
  const { users, anyone } = await changersOf(sql, accountId, sinceOf(terms, at));
  if (users.has(by)) throw refusal('payout.changed_account', { days });
  if (anyone) throw refusal('payout.changed_by_command', { days });
}

/**
 * Throws 403 if the first approver recently changed the account, or if one of the two recently made
 * the other an operator.
 */
async function refusePair(
  sql: Queryable,
  terms: Independence,
  {
    accountId,
    first,
    by,
    at,
  }: { accountId: string; first: number; by: number; at: Temporal.Instant },
): Promise<void> {
  if (terms.changeDays === 0) return;
  const since = sinceOf(terms, at);
  if ((await changersOf(sql, accountId, since)).users.has(first)) {
    throw refusal('payout.first_changed_account', {});
  }
  if (await madeOperator(sql, [first, by], since)) {
    throw refusal('payout.made_operator', { days: terms.changeDays });
  }
}

/** Throws 409 if there is no second operator. */
export async function refuseAlone(sql: Queryable): Promise<void> {
  if ((await countOperators(sql)) >= 2) return;
  throw refusal('payout.one_operator', {});
}

/**
 * Throws if an operator may not approve a payout above the limit: 409 if there is no second
 * operator, 403 if they are not independent of the account or of the other operator.
 */
export async function refuseDecider(
  sql: Queryable,
  terms: Independence,
  { row, by, at }: { row: Proposal; by: number; at: Temporal.Instant },
): Promise<void> {
  await refuseAlone(sql);
  const { account_id: accountId } = row;
  await refuseChanger(sql, terms, { accountId, by, at });
  const first = isOfAccount(row) ? row.first_approved_by : row.proposed_by;
  if (first !== null && first !== by) await refusePair(sql, terms, { accountId, first, by, at });
}
