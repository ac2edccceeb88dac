import type { Calendar } from '../../calendar/index.ts';
import type { Base } from '../../platform/base.ts';
import type { CreateParts } from '../create.ts';
import { draftDebit } from '../draft.ts';
import { cardTiming, type TermsOf } from '../timing.ts';
import { type CardDebitInput, refuseDebitField } from './schema.ts';

/** The steps of creating a debit that are specific to cards. */
export const cardDebits = (
  base: Base,
  loadCalendar: () => Promise<Calendar>,
  termsOf: TermsOf,
): Pick<CreateParts<CardDebitInput>, 'kind' | 'mandateIdOf' | 'refuseMandate' | 'draft'> => ({
  kind: 'card_debit_request',
  mandateIdOf: (input) => input.card_adhesion_id,
  refuseMandate: (why) => refuseDebitField('card_adhesion_id', why),
  async draft(call, mandate, id) {
    const { month, year, amount } = call.input;
    const terms = await termsOf(call.ctx.accountId);
    const timing = cardTiming(await loadCalendar(), { month, year }, terms);
    const dues = { due1: timing.run_on, total1: amount, due2: null, total2: null };
    const details = { month, year, cut_day: terms.cardCutDay };
    const own = { ...dues, kind: 'card_debit_request' as const, timing, details };
    return draftDebit(base, call, { mandate, id }, own);
  },
});
