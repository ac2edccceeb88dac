import { amount, integer, metadata, prose, reference } from '../../platform/http/fields.ts';
import { type Filled, form, optional, refuseField, required } from '../../platform/http/form.ts';
import { fault } from '../codes.ts';
import { type DebitTerms, firstOpenPeriod, isOpen } from '../timing.ts';

const largestId = Number.MAX_SAFE_INTEGER;

const members = {
  card_adhesion_id: required(integer({ min: 1, max: largestId, digits: true })),
  month: required(integer({ min: 1, max: 12, digits: true })),
  year: required(integer({ min: 2000, max: 2099, digits: true })),
  amount: required(amount()),
  description: optional(prose({ max: 255, lineBreaks: true })),
  external_reference: optional(reference()),
  metadata: optional(metadata()),
};

export interface CardDebitContext {
  today: Temporal.PlainDate;
  terms: DebitTerms;
}

export const cardDebitForm = form<typeof members, CardDebitContext>(
  members,
  ({ month, year }, { today, terms }) => {
    if (!month || !year || isOpen({ month, year }, today, terms)) return {};
    const first = firstOpenPeriod(today, terms);
    const periods = { period: `${month}/${year}`, first: `${first.month}/${first.year}` };
    return { month: fault('card_debit_request.period_closed', periods) };
  },
);

export type CardDebitInput = Filled<typeof members>;

export const refuseDebitField = refuseField(members);
