import type { Calendar } from '../../calendar/index.ts';
import type { Base } from '../../platform/base.ts';
import type { CreateParts } from '../create.ts';
import { draftDebit } from '../draft.ts';
import { type DebitTerms, timingOf } from '../timing.ts';
import { type DebitRequestInput, refuseDebitField } from './schema.ts';

/** The steps of creating a debit that are specific to bank accounts. */
export const bankDebits = (
  base: Base,
  loadCalendar: () => Promise<Calendar>,
  terms: DebitTerms,
): Pick<CreateParts<DebitRequestInput>, 'kind' | 'mandateIdOf' | 'refuseMandate' | 'draft'> => ({
  kind: 'debit_request',
  mandateIdOf: (input) => input.adhesion_id,
  refuseMandate: (why) => refuseDebitField('adhesion_id', why),
  async draft(call, mandate, id) {
    const { input } = call;
    const timing = timingOf(await loadCalendar(), input.first_due_date, terms);
    const dues = {
      due1: input.first_due_date,
      total1: input.first_total,
      due2: input.second_due_date,
      total2: input.second_total,
    };
    return draftDebit(base, call, { mandate, id }, { ...dues, kind: 'debit_request', timing });
  },
});
