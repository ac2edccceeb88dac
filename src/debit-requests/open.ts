import type { Calendar } from '../calendar/index.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import type { FindMandate, MandateRow, MandateVerbs } from '../mandates/index.ts';
import type { FindRequest, RecordFacts } from '../money/collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { bankDebits } from './bank/draft.ts';
import type { DebitRequestInput } from './bank/schema.ts';
import { cancelDebit } from './cancel.ts';
import { cardDebits } from './card/draft.ts';
import type { CardDebitInput } from './card/schema.ts';
import { batchedDebits, createDebits } from './create.ts';
import { findDebits, getDebit } from './get.ts';
import { listDebits } from './list.ts';
import { presentDebit, presentDetailed } from './present.ts';
import { settleRuns } from './runs/settle.ts';
import { submissionSweep } from './runs/submit.ts';
import { type DebitTerms, type TermsOf, termsOfAccounts } from './timing.ts';
import { withdrawDebits } from './withdraw.ts';

export interface DebitParts {
  find: FindRequest;
  recordFacts: RecordFacts;
  mandates: MandateVerbs;
  /** Returns why this deployment's rails cannot carry the mandate's debits, or null. */
  carryFault(mandate: MandateRow): LocalizedText | null;
  loadCalendar(): Promise<Calendar>;
  terms: DebitTerms;
}

/** Builds the verb that creates many bank debits at once. */
export const bankDebitCreator = (
  base: Base,
  {
    loadCalendar,
    terms,
    ...shared
  }: Pick<DebitParts, 'carryFault' | 'loadCalendar' | 'terms'> & { findMandate: FindMandate },
) =>
  createDebits<DebitRequestInput>(base, {
    ...shared,
    present: presentDebit,
    ...bankDebits(base, loadCalendar, terms),
  });

export function createDebitVerbs(
  base: Base,
  { find: findRequest, recordFacts, mandates, carryFault, loadCalendar, terms }: DebitParts,
) {
  const find = findDebits(findRequest, mandates.find);
  const termsOf: TermsOf = termsOfAccounts(base.sql, terms);
  const shared = { findMandate: mandates.find, carryFault, present: presentDebit };
  const createMany = {
    bank: bankDebitCreator(base, { findMandate: mandates.find, carryFault, loadCalendar, terms }),
    card: createDebits<CardDebitInput>(base, {
      ...shared,
      ...cardDebits(base, loadCalendar, termsOf),
    }),
  };
  return {
    createMany,
    createBank: batchedDebits(base, createMany.bank),
    createCard: batchedDebits(base, createMany.card),
    withdraw: withdrawDebits(base),
    find,
    get: getDebit(base, find),
    list: listDebits(base, mandates.find),
    /** Returns the response of GET, or null if the request is not a debit. */
    async show({ accountId }: Ctx, id: number) {
      const key = { accountId, id };
      const found = (await find(key, 'debit_request')) ?? (await find(key, 'card_debit_request'));
      return found && presentDetailed({ ...found, retentions: null });
    },
    cancel: cancelDebit(base, find),
    settle: settleRuns({ base, recordFacts, endMandate: mandates.end, loadCalendar, terms }),
    termsOf,
    sweep: submissionSweep(base, recordFacts),
  };
}

export type DebitRequests = ReturnType<typeof createDebitVerbs>;
