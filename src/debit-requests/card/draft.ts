import type { Calendar } from '../../calendar/index.ts';
import type { Base } from '../../platform/base.ts';
import type { CreateParts } from '../create.ts';
import { cardDue, type TermsOf, timingOf } from '../timing.ts';
import { type CardDebitInput, refuseDebitField } from './schema.ts';

/** How a debit on a card is made from its body. */
export const cardDebits = (
  { clocks }: Base,
  loadCalendar: () => Promise<Calendar>,
  termsOf: TermsOf,
): Pick<CreateParts<CardDebitInput>, 'kind' | 'mandateIdOf' | 'unknownMandate' | 'draft'> => ({
  kind: 'card_debit_request',
  mandateIdOf: (input) => input.card_adhesion_id,
  unknownMandate: () =>
    refuseDebitField('card_adhesion_id', 'There is no card adhesion with this id.'),
  async draft({ ctx, input }, mandate, id) {
    const { month, year } = input;
    const terms = await termsOf(ctx.accountId);
    const due = cardDue({ month, year }, terms.cardDay);
    const timing = timingOf(await loadCalendar(), due, terms);
    return {
      row: {
        account_id: ctx.accountId,
        id,
        kind: 'card_debit_request',
        state: 'pending',
        version: 1,
        created_at: clocks.business.now(),
        reference: input.external_reference ?? mandate.reference,
        payer: mandate.holder,
        description: input.description ?? mandate.description,
        due1: due,
        total1: input.amount,
        due2: null,
        total2: null,
        last_due: due,
        code: null,
        mandate_id: mandate.id,
        details: {
          month,
          year,
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
        kind: 'card_debit_request',
        amount: input.amount,
        state: 'waiting',
      },
    };
  },
});
