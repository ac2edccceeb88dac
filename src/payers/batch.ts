import { operatorBooks } from '../accounts/index.ts';
import { readSealedTexts, sealErasures } from '../events/index.ts';
import { itemAt } from '../kernel/lists.ts';
import { eraseMandates, type PersonalMandate } from '../mandates/index.ts';
import { chargesNeeded, eraseAttempts } from '../money/charges/index.ts';
import { eraseResults, resultsNeeded } from '../money/collections/index.ts';
import { disputesNeeded, eraseDisputes } from '../money/disputes/index.ts';
import {
  countPersonalProposals,
  eraseProposals,
  proposalEntities,
  proposalsNeeded,
} from '../money/proposals/index.ts';
import { eraseRefunds, refundsNeeded } from '../money/refunds/index.ts';
import { countNotedSuspense, eraseSuspense } from '../money/suspense/index.ts';
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

/** Reads those of the requests that are not erased yet, and finds those still needed. */
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

type SealedTexts = Awaited<ReturnType<typeof readSealedTexts>>;

/**
 * Reads the seals of the events about a person's mandates, requests and proposals. The parts of
 * `requests` are read one at a time.
 */
export const readSealedOf = (
  sql: Queryable,
  accountId: string,
  { mandates, requests }: { mandates: readonly PersonalMandate[]; requests: number[][] },
): Promise<SealedTexts> =>
  readSealedTexts(
    sql,
    accountId,
    (async function* entities() {
      yield mandates.map(({ kind, id }) => ({ entity: kind, entity_id: String(id) }));
      for (const some of requests) {
        const held = await unerasedRequests(sql, accountId, some, { lock: false });
        yield held.map(({ kind, entity_id }) => ({ entity: kind, entity_id }));
        yield await proposalEntities(sql, accountId, some);
      }
    })(),
  );

/**
 * Erases personal data from locked requests, from their events and emails, and from everything that
 * belongs to them: results, refunds, disputes, attempts, proposals and suspense.
 */
export async function eraseHeldRequests(
  tx: Transaction,
  { recordIds }: Pick<Acting, 'recordIds'>,
  erasing: Erasing,
  held: readonly UnerasedRequest[],
  sealed: SealedTexts,
): Promise<void> {
  const { accountId } = erasing;
  const ids = held.map(({ id }) => id);
  const mailIds = await mailsOfRequests(tx, accountId, ids);
  const results = await eraseResults(tx, accountId, ids);
  const refunds = await eraseRefunds(tx, accountId, ids);
  const disputes = await eraseDisputes(tx, accountId, ids);
  await eraseAttempts(tx, accountId, ids);
  const proposals = await countPersonalProposals(tx, accountId, ids);
  const noted = await countNotedSuspense(tx, accountId, ids);
  const eventIds = await recordIds.take(ids.length + proposals + noted);
  const erasures = await eraseRequests(
    tx,
    erasing,
    ids.map((id, index) => ({
      id,
      eventId: itemAt(eventIds, index),
      resultIds: results.get(id) ?? [],
      refundIds: refunds.get(id) ?? [],
      disputeIds: disputes.get(id) ?? [],
    })),
  );
  const { length: requests } = ids;
  erasures.push(
    ...(await eraseProposals(tx, erasing, ids, eventIds.slice(requests, requests + proposals))),
  );
  const notes = await eraseSuspense(tx, erasing, ids, eventIds.slice(requests + proposals));
  await eraseMails(tx, { accountId, ids: mailIds, links: [], emails: [] }, keepMailOutcomes(tx));
  const emails = new Set(held.flatMap(({ email }) => (email === null ? [] : [email])));
  await eraseMailStops(tx, accountId, ids, [...emails]);
  await erasePayerMails(tx, accountId, ids);
  // Last, because the sealer waits for these locks. The operator's come first, as in the sealer.
  await sealErasures(tx, operatorBooks, notes);
  await sealErasures(tx, accountId, erasures, sealed);
}

type HeldMandate = Pick<PersonalMandate, 'kind' | 'id' | 'email'>;

/** Erases personal data from locked mandates, their events and their emails. */
export async function eraseHeldMandates(
  tx: Transaction,
  { recordIds }: Pick<Acting, 'recordIds'>,
  erasing: Erasing,
  held: readonly HeldMandate[],
  sealed: SealedTexts,
): Promise<void> {
  const { accountId } = erasing;
  const eventIds = await recordIds.take(held.length);
  const erasures = await eraseMandates(tx, erasing, held, eventIds);
  const links = held.map(({ kind, id }) => ({ kind, id }));
  await eraseMails(tx, { accountId, ids: [], links, emails: [] }, keepMailOutcomes(tx));
  await eraseMailStops(
    tx,
    accountId,
    [],
    held.map(({ email }) => email),
  );
  await sealErasures(tx, accountId, erasures, sealed);
}
