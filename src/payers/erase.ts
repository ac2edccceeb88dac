import { eraseLetters } from '../connectors/index.ts';
import { eraseImportRows, importsNeeded } from '../imports/index.ts';
import { eraseMandates, holdPersonalMandates } from '../mandates/index.ts';
import { chargesNeeded, eraseAttempts } from '../money/charges/index.ts';
import { eraseResults, resultsNeeded } from '../money/collections/index.ts';
import { disputesNeeded } from '../money/disputes/index.ts';
import { countWithCbu, eraseProposals, proposalsNeeded } from '../money/proposals/index.ts';
import { eraseRefunds, refundsNeeded } from '../money/refunds/index.ts';
import { erasePayerMails, keepMailOutcomes } from '../payment-requests/index.ts';
import { actorText } from '../platform/actor.ts';
import type { Acting } from '../platform/base.ts';
import { eraseAnswers } from '../platform/idempotency.ts';
import { eraseMails } from '../platform/mail/personal.ts';
import {
  type Erasing,
  emailPattern,
  numberPattern,
  type Person,
  type StillNeeded,
} from '../platform/person.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { emailsInUse, eraseRequests, holdPersonalRequests } from '../requests/index.ts';
import { mailsOf } from './export.ts';
import { type Found, findPerson, isEmpty, madeOf } from './find.ts';

export interface ErasureOrder extends Pick<Person, 'cuit' | 'emails'> {
  accountIds: readonly string[];
  /** A file number, never a name, because events store it. */
  reason: string;
  /** Only finds what would be erased, and what is still needed. */
  dryRun: boolean;
  /** Days within which card debits can be reversed. */
  cardReversalDays: number;
}

/** Rows that an erasure found in one account. If some are `needed`, none was erased. */
export interface AccountErasure {
  accountId: string;
  mandates: number;
  requests: number;
  needed: StillNeeded[];
}

interface Work {
  accountId: string;
  found: Found;
  requestIds: number[];
}

/** Locks a person's rows and finds those still needed: open debts, money, mandates in force. */
async function holdAndCheck(
  tx: Transaction,
  { accountId, found, requestIds }: Work,
  terms: { today: Temporal.PlainDate; cardReversalDays: number },
): Promise<StillNeeded[]> {
  return [
    ...(await holdPersonalMandates(tx, accountId, found.mandates)),
    ...(await holdPersonalRequests(tx, accountId, requestIds)),
    ...(await chargesNeeded(tx, accountId, requestIds)),
    ...(await resultsNeeded(tx, accountId, requestIds, terms)),
    ...(await refundsNeeded(tx, accountId, requestIds)),
    ...(await proposalsNeeded(tx, accountId, requestIds)),
    ...(await disputesNeeded(tx, accountId, requestIds)),
    ...(await importsNeeded(tx, accountId, found.person, madeOf(found))),
  ];
}

async function eraseHeld(
  tx: Transaction,
  { recordIds }: Pick<Acting, 'recordIds'>,
  erasing: Erasing,
  { accountId, found, requestIds }: Work,
): Promise<void> {
  const { mandates, texts, emails } = found;
  const mails = await mailsOf(tx, accountId, found);
  const results = await eraseResults(tx, accountId, requestIds);
  const refunds = await eraseRefunds(tx, accountId, requestIds);
  await eraseAttempts(tx, accountId, requestIds);
  const proposals = await countWithCbu(tx, accountId, requestIds);
  const ids = await recordIds.take(Math.max(1, requestIds.length + mandates.length + proposals));
  const requestEvents = ids.slice(0, requestIds.length);
  const mandateEvents = ids.slice(requestIds.length, requestIds.length + mandates.length);
  await eraseRequests(
    tx,
    erasing,
    requestIds.map((id, index) => ({
      id,
      eventId: requestEvents[index] ?? 0,
      resultIds: results.get(id) ?? [],
      refundIds: refunds.get(id) ?? [],
    })),
  );
  await eraseMandates(tx, erasing, mandates, mandateEvents);
  const proposalEvents = ids.slice(requestIds.length + mandates.length);
  await eraseProposals(tx, erasing, requestIds, proposalEvents);
  await eraseMails(tx, mails, keepMailOutcomes(tx));
  const inUse = await emailsInUse(tx, accountId, emails);
  await erasePayerMails(tx, accountId, requestIds, { emails, inUse });
  await eraseImportRows(tx, accountId, found.person, madeOf(found));
  const named = [...requestIds, ...mandates.map(({ id }) => id)];
  const refundIds = [...refunds.values()].flat();
  await eraseAnswers(tx, accountId, { ids: named, texts, refundIds });
}

const dropped = Symbol('dropped');

/** Erases a person in one account, in one transaction. */
async function eraseIn(
  acting: Acting,
  accountId: string,
  order: ErasureOrder,
  dryRun: boolean,
): Promise<AccountErasure> {
  const { sql, clocks, actor } = acting;
  let answer: AccountErasure = { accountId, mandates: 0, requests: 0, needed: [] };
  try {
    await sql.begin(async (tx) => {
      // Serializes erasures, so that a concurrent one finds only what is left.
      await lockNames(tx, `payers ${accountId}`);
      const found = await findPerson(tx, accountId, order);
      const requestIds = found.requests.map(({ id }) => id);
      const work = { accountId, found, requestIds };
      const terms = { today: clocks.business.today(), cardReversalDays: order.cardReversalDays };
      const needed = isEmpty(found) ? [] : await holdAndCheck(tx, work, terms);
      const counts = { mandates: found.mandates.length, requests: requestIds.length };
      answer = { accountId, ...counts, needed };
      if (dryRun || needed.length > 0 || isEmpty(found)) throw dropped;
      const at = clocks.business.now();
      const erasing = { accountId, at, actor: actorText(actor), reason: order.reason };
      await eraseHeld(tx, acting, erasing, work);
    });
  } catch (error) {
    if (error !== dropped) throw error;
  }
  return answer;
}

/**
 * Erases a person: names, addresses, texts, evidence and stored responses. Amounts, days and ids
 * stay. Looks at all accounts first, and erases nothing if one of them still needs a row, or for a
 * dry run. Erases each account in a separate transaction, so an interrupted erasure must be called
 * again.
 */
export async function erasePerson(acting: Acting, order: ErasureOrder): Promise<AccountErasure[]> {
  const seen: AccountErasure[] = [];
  for (const id of order.accountIds) seen.push(await eraseIn(acting, id, order, true));
  const theirs = seen.filter(({ mandates, requests }) => mandates + requests > 0);
  if (order.dryRun || theirs.some(({ needed }) => needed.length > 0)) return theirs;
  const done: AccountErasure[] = [];
  for (const { accountId } of theirs) done.push(await eraseIn(acting, accountId, order, false));
  await eraseLetters(acting.sql, [...order.emails.map(emailPattern), numberPattern(order)]);
  return done;
}
