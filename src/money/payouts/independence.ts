import { changersOf, madeOperator } from '../../events/index.ts';
import { conflict, Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { countOperators } from '../../users/index.ts';
import { isOfAccount, type Proposal } from '../proposals/index.ts';

/** Rules that exclude people from deciding on a payout above the limit. */
export interface Independence {
  /** Days after a change of members or CBU in which its author decides on none; 0: no such rule. */
  changeDays: number;
}

const forbidden = (text: string): Refusal => new Refusal('forbidden', text);

const sinceOf = ({ changeDays }: Independence, at: Temporal.Instant): Temporal.Instant =>
  at.subtract({ hours: changeDays * 24 });

/** 403: the operator changed the account's members or CBU lately, or a nameless command did. */
export async function refuseChanger(
  sql: Queryable,
  terms: Independence,
  { accountId, by, at }: { accountId: string; by: number; at: Temporal.Instant },
): Promise<void> {
  const { changeDays: days } = terms;
  if (days === 0) return;
  const { users, anyone } = await changersOf(sql, accountId, sinceOf(terms, at));
  if (users.has(by)) {
    throw forbidden(
      `You changed the members or the CBU of this account within ${days} days: other operators ` +
        'decide on a payout of this amount.',
    );
  }
  if (anyone) {
    throw forbidden(
      `A command without --operator changed the members or the CBU of this account within ${days} ` +
        'days: nobody can approve a payout of this amount until they are over.',
    );
  }
}

/** 403: one of two deciders made the other one an operator lately, or changed the account. */
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
    throw forbidden(
      'The first operator has changed the members or the CBU of this account since: reject this ' +
        'payout, and it is proposed again.',
    );
  }
  if (await madeOperator(sql, [first, by], since)) {
    throw forbidden(
      `One of you made the other an operator within ${terms.changeDays} days: a third operator ` +
        'decides on a payout of this amount.',
    );
  }
}

/** 409: there is no second operator who could decide. */
export async function refuseAlone(sql: Queryable): Promise<void> {
  if ((await countOperators(sql)) >= 2) return;
  throw conflict(
    'A payout of this amount takes two operators, and there is only one. Add another: ' +
      'npx recaudo users create <email> --name <name> --role operator',
  );
}

/**
 * Refuses an operator who cannot approve a payout above the limit. 409: there is no second operator;
 * 403: they are not independent of the account, or of the other operator.
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
