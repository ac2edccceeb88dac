import type { Calendar } from '../../calendar/index.ts';
import type { Base } from '../../platform/base.ts';
import { lastDueOf } from '../../requests/index.ts';
import type { CreateParts } from '../create.ts';
import type { DebitTerms } from '../timing.ts';
import { timingOf } from '../timing.ts';
import { type DebitRequestInput, refuseDebitField } from './schema.ts';

/** How a debit on a bank account is made from its body. */
export const bankDebits = (
  { clocks }: Base,
  loadCalendar: () => Promise<Calendar>,
  terms: DebitTerms,
): Pick<CreateParts<DebitRequestInput>, 'kind' | 'mandateIdOf' | 'unknownMandate' | 'draft'> => ({
  kind: 'debit_request',
  mandateIdOf: (input) => input.adhesion_id,
  unknownMandate: () => refuseDebitField('adhesion_id', 'There is no adhesion with this id.'),
  async draft({ ctx, input }, mandate, id) {
    const timing = timingOf(await loadCalendar(), input.first_due_date, terms);
    return {
      row: {
        account_id: ctx.accountId,
        id,
        kind: 'debit_request',
        state: 'pending',
        version: 1,
        created_at: clocks.business.now(),
        reference: input.external_reference ?? mandate.reference,
        payer: mandate.holder,
        description: input.description ?? mandate.description,
        due1: input.first_due_date,
        total1: input.first_total,
        due2: input.second_due_date,
        total2: input.second_total,
        last_due: lastDueOf(input.first_due_date, input.second_due_date),
        code: null,
        mandate_id: mandate.id,
        details: {
          ...(input.external_reference !== null && {
            external_reference: input.external_reference,
          }),
          ...(input.metadata && { metadata: input.metadata }),
        },
      },
      run: {
        ...timing,
        account_id: ctx.accountId,
        request_id: id,
        no: 1,
        kind: 'debit_request',
        amount: input.first_total,
        state: 'waiting',
      },
    };
  },
});
