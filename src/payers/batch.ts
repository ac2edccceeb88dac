import { itemAt } from '../kernel/lists.ts';
import { eraseMandates, type PersonalMandate } from '../mandates/index.ts';
import { chargesNeeded, eraseAttempts } from '../money/charges/index.ts';
import { eraseResults, resultsNeeded } from '../money/collections/index.ts';
import { disputesNeeded } from '../money/disputes/index.ts';
import { countWithCbu, eraseProposals, proposalsNeeded } from '../money/proposals/index.ts';
import { eraseRefunds, refundsNeeded } from '../money/refunds/index.ts';
import {
  eraseMailStops,
  erasePayerMails,
  keepMailOutcomes,
  mailsOfRequests,
} from '../payment-requests/index.ts';
import type { Acting } from '../platform/base.ts';
import { eraseMails } from '../platform/mail/personal.ts';
import type { Erasing, StillNeeded } from '../platform/person.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import {
  eraseRequests,
  requestsNeeded,
  type UnerasedRequest,
  unerasedRequests,
} from '../requests/index.ts';

export interface MoneyTerms {
  today: Temporal.PlainDate;
  cardReversalDays: number;
}

/** Reads a person's requests that are not erased yet, and finds those still needed. */
export async function readRequests(
  tx: Queryable,
  accountId: string,
  some: readonly number[],
  { lock, ...terms }: MoneyTerms & { lock: boolean },
): Promise<{ held: UnerasedRequest[]; needed: StillNeeded[] }> {
  const held = await unerasedRequests(tx, accountId, some, { lock });
  const ids = held.map(({ id }) => id);
  const needed = [
    ...requestsNeeded(held),
    ...(await chargesNeeded(tx, accountId, ids)),
    ...(await resultsNeeded(tx, accountId, ids, terms)),
    ...(await refundsNeeded(tx, accountId, ids)),
    ...(await proposalsNeeded(tx, accountId, ids)),
    ...(await disputesNeeded(tx, accountId, ids)),
  ];
  return { held, needed };
}

/** Erases locked requests with their money and mails. */
export async function eraseHeldRequests(
  tx: Transaction,
  { recordIds }: Pick<Acting, 'recordIds'>,
  erasing: Erasing,
  held: readonly UnerasedRequest[],
): Promise<void> {
  const { accountId } = erasing;
  const ids = held.map(({ id }) => id);
  const mailIds = await mailsOfRequests(tx, accountId, ids);
  const results = await eraseResults(tx, accountId, ids);
  const refunds = await eraseRefunds(tx, accountId, ids);
  await eraseAttempts(tx, accountId, ids);
  const proposals = await countWithCbu(tx, accountId, ids);
  const eventIds = await recordIds.take(ids.length + proposals);
  await eraseRequests(
    tx,
    erasing,
    ids.map((id, index) => ({
      id,
      eventId: itemAt(eventIds, index),
      resultIds: results.get(id) ?? [],
      refundIds: refunds.get(id) ?? [],
    })),
  );
  await eraseProposals(tx, erasing, ids, eventIds.slice(ids.length));
  await eraseMails(tx, { accountId, ids: mailIds, links: [], emails: [] }, keepMailOutcomes(tx));
  const emails = new Set(held.flatMap(({ email }) => (email === null ? [] : [email])));
  await eraseMailStops(tx, accountId, ids, [...emails]);
  await erasePayerMails(tx, accountId, ids);
}

type HeldMandate = Pick<PersonalMandate, 'kind' | 'id' | 'email'>;

/** Erases locked mandates with their mails. */
export async function eraseHeldMandates(
  tx: Transaction,
  { recordIds }: Pick<Acting, 'recordIds'>,
  erasing: Erasing,
  held: readonly HeldMandate[],
): Promise<void> {
  const { accountId } = erasing;
  await eraseMandates(tx, erasing, held, await recordIds.take(held.length));
  const links = held.map(({ kind, id }) => ({ kind, id }));
  await eraseMails(tx, { accountId, ids: [], links, emails: [] }, keepMailOutcomes(tx));
  await eraseMailStops(
    tx,
    accountId,
    [],
    held.map(({ email }) => email),
  );
}
