import type { Calendar } from '../calendar/index.ts';
import { type FindReferenced, findMandates, findReferenced } from '../mandates/index.ts';
import type { Base } from '../platform/base.ts';
import type { FieldFaults, Refusal } from '../platform/errors.ts';
import type { Form } from '../platform/http/form.ts';
import { bankDebits } from './bank/draft.ts';
import { type DebitRequestInput, debitRequestForm } from './bank/schema.ts';
import { cardDebits } from './card/draft.ts';
import { type CardDebitInput, cardDebitForm } from './card/schema.ts';
import { debitFault } from './create.ts';
import { type DebitKind, mandateKindOf } from './debit.ts';
import { type DebitTerms, termsOfAccounts } from './timing.ts';

export interface CheckParts {
  loadCalendar(): Promise<Calendar>;
  terms: DebitTerms;
}

/** A valid debit, or its faults. */
export type CheckedDebit<I> =
  | { ok: true; input: I }
  | { ok: false; faults: FieldFaults }
  | { ok: false; refusal: Refusal };

export type CheckDebit<I> = (body: Record<string, unknown>) => Promise<CheckedDebit<I>>;

/**
 * Checks an account's debits without creating them: their form, and the mandate's current state.
 * Does not check whether a file can carry them.
 */
export function debitChecks(base: Base, { loadCalendar, terms }: CheckParts) {
  const termsOf = termsOfAccounts(base.sql, terms);
  const findMandate = findMandates(base);
  const shared = { findMandate, carryFault: () => null };

  const checker =
    <I, C>(
      form: Form<I, C>,
      faultOf: ReturnType<typeof debitFault<I>>,
      contextOf: (accountId: string) => Promise<C>,
    ) =>
    async (accountId: string): Promise<CheckDebit<I>> => {
      const context = await contextOf(accountId);
      return async (body) => {
        const read = form.read(body, context);
        if (!read.ok) return { ok: false, faults: read };
        const refusal = await faultOf(accountId, read.value);
        return refusal ? { ok: false, refusal } : { ok: true, input: read.value };
      };
    };

  const contextOf = async (accountId: string) => ({
    today: base.clocks.business.today(),
    calendar: await loadCalendar(),
    terms: await termsOf(accountId),
  });
  const referenced = findReferenced(base);
  return {
    /** Finds an account's mandates by its own references. */
    byReference: (accountId: string, kind: DebitKind): FindReferenced =>
      referenced({ accountId, kind: mandateKindOf[kind] }),
    bank: checker<DebitRequestInput, Awaited<ReturnType<typeof contextOf>>>(
      debitRequestForm,
      debitFault({ ...shared, ...bankDebits(base, loadCalendar, terms) }),
      contextOf,
    ),
    card: checker<CardDebitInput, Awaited<ReturnType<typeof contextOf>>>(
      cardDebitForm,
      debitFault({ ...shared, ...cardDebits(base, loadCalendar, termsOf) }),
      contextOf,
    ),
  };
}

export type DebitChecks = ReturnType<typeof debitChecks>;
