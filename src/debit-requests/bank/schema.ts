import type { Calendar } from '../../calendar/index.ts';
import { compareDays } from '../../kernel/dates.ts';
import { amount, day, integer, metadata, prose, reference } from '../../platform/http/fields.ts';
import { type Filled, form, optional, refuseField, required } from '../../platform/http/form.ts';
import { checkDues } from '../../requests/index.ts';
import { fault } from '../codes.ts';
import { type DebitTerms, earliestBankDue } from '../timing.ts';

const largestId = Number.MAX_SAFE_INTEGER;

const members = {
  adhesion_id: required(integer({ min: 1, max: largestId, digits: true })),
  description: optional(prose({ max: 255, lineBreaks: true })),
  first_due_date: required(day()),
  first_total: required(amount()),
  second_due_date: optional(day()),
  second_total: optional(amount()),
  external_reference: optional(reference()),
  metadata: optional(metadata()),
};

export interface BankDebitContext {
  today: Temporal.PlainDate;
  calendar: Calendar;
  terms: DebitTerms;
}

export const debitRequestForm = form<typeof members, BankDebitContext>(
  members,
  (valid, { today, calendar, terms }) => {
    const dues = checkDues(
      {
        firstDue: valid.first_due_date ?? null,
        firstTotal: valid.first_total ?? null,
        secondDue: valid.second_due_date,
        secondTotal: valid.second_total,
      },
      today,
    );
    const earliest = earliestBankDue(calendar, today, terms);
    const due = valid.first_due_date;
    const tooNear = due && compareDays(due, earliest) < 0;
    return {
      ...dues,
      ...(tooNear && { first_due_date: fault('debit_request.due_too_near', { earliest }) }),
    };
  },
);

export type DebitRequestInput = Filled<typeof members>;

export const refuseDebitField = refuseField(members);
