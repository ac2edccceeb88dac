import type { Calendar } from '../../calendar/index.ts';
import {
  cardDebitForm,
  type DebitKind,
  type DebitRequests,
  debitRequestForm,
  earliestBankDue,
  firstOpenPeriod,
  mandateKindOf,
} from '../../debit-requests/index.ts';
import type { MandateRow, MandateVerbs } from '../../mandates/index.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal } from '../../platform/errors.ts';
import { readForm } from '../../platform/http/form.ts';
import type { CreationOutcome } from '../../platform/idempotency.ts';
import { amountOf, dayTextOf } from '../../platform/spreadsheets/cells.ts';
import { claimIn, createdId, faultsOf, type Refused, renewKey } from '../frame/creating.tsx';
import { type AccountVisit, type Answer, ctxOf, idIn, portalRefusal } from '../frame/index.ts';
import { mandatePath } from '../mandates/places.ts';
import { newPage, type Soonest } from './new.tsx';
import { newTexts } from './new-texts.ts';
import { kindAt } from './places.ts';

export interface CreateParts {
  mandates: MandateVerbs;
  debits: DebitRequests;
  clocks: Clocks;
  calendar(): Promise<Calendar>;
}

const textIn = ({ posted }: AccountVisit, name: string): string => (posted.get(name) ?? '').trim();

const shared = (visit: AccountVisit) => ({
  description: textIn(visit, 'description'),
  external_reference: textIn(visit, 'external_reference'),
});

/** Converts a form to an API request body, which has other formats for amounts and days. */
const bankBody = (visit: AccountVisit, { id }: MandateRow) => ({
  ...shared(visit),
  adhesion_id: id,
  first_due_date: dayTextOf(textIn(visit, 'first_due_date')),
  first_total: amountOf(textIn(visit, 'first_total')),
  second_due_date: dayTextOf(textIn(visit, 'second_due_date')),
  second_total: amountOf(textIn(visit, 'second_total')),
});

function cardBody(visit: AccountVisit, { id }: MandateRow) {
  const [, year = '', month = ''] = /^(\d{4})-(\d{2})$/.exec(textIn(visit, 'period')) ?? [];
  return {
    ...shared(visit),
    card_adhesion_id: id,
    month: month === '' ? '' : Number(month),
    year: year === '' ? '' : Number(year),
    amount: amountOf(textIn(visit, 'amount')),
  };
}

/** Month and year are one field of the page. */
const ofPeriod: Readonly<Record<string, string>> = { month: 'period', year: 'period' };

/** Returns the errors to show in the form, or null for a refusal that gets a page of its own. */
function refusedOf({ lang }: AccountVisit, error: Refusal): Refused | null {
  const { fields, refused } = newTexts[lang];
  const found = faultsOf(lang, error, { ...fields, month: fields.period, year: fields.period });
  if (found !== null) {
    const faults = found
      .map((one) => ({ ...one, field: ofPeriod[one.field] ?? one.field }))
      .filter((one, index, all) => all.findIndex(({ field }) => field === one.field) === index);
    const ofMandate = faults.some(({ field }) => field.endsWith('adhesion_id'));
    return ofMandate
      ? { faults: [], message: refused.mandate, status: 400 }
      : { faults, status: 400 };
  }
  if (error.kind !== 'conflict' && error.kind !== 'unprocessable') return null;
  return { faults: [], message: refused[error.kind], status: error.status };
}

/** Creates debits on a mandate, one per form. */
export function debitCreation({ mandates, debits, clocks, calendar }: CreateParts) {
  const contextOf = async ({ account }: AccountVisit) => ({
    today: clocks.business.today(),
    calendar: await calendar(),
    terms: await debits.termsOf(account.id),
  });
  type Context = Awaited<ReturnType<typeof contextOf>>;

  const soonestOf = ({ today, calendar: days, terms }: Context): Soonest => ({
    due: earliestBankDue(days, today, terms),
    period: firstOpenPeriod(today, terms),
  });

  async function subjectOf(visit: AccountVisit): Promise<{ kind: DebitKind; mandate: MandateRow }> {
    const kind = kindAt(visit.params.kind);
    if (kind === null) throw portalRefusal('page.not_found', {});
    return { kind, mandate: await mandates.get(ctxOf(visit), mandateKindOf[kind], idIn(visit)) };
  }

  const create = (
    visit: AccountVisit,
    { kind, mandate }: { kind: DebitKind; mandate: MandateRow },
    context: Context,
  ): Promise<CreationOutcome> => {
    const call = { ctx: ctxOf(visit), claim: claimIn(visit) };
    return kind === 'debit_request'
      ? debits.createBank({
          ...call,
          input: readForm(debitRequestForm, bankBody(visit, mandate), context),
        })
      : debits.createCard({
          ...call,
          input: readForm(cardDebitForm, cardBody(visit, mandate), context),
        });
  };

  return {
    /**
     * Shows the form. Redirects to the page of a mandate that is not signed, which explains why it
     * cannot be debited.
     */
    async show(visit: AccountVisit): Promise<Answer> {
      const subject = await subjectOf(visit);
      if (subject.mandate.state !== 'signed') return { to: visit.at(mandatePath(subject.mandate)) };
      return newPage(visit, { ...subject, soonest: soonestOf(await contextOf(visit)) });
    },
    async does(visit: AccountVisit): Promise<Answer> {
      const [subject, context] = await Promise.all([subjectOf(visit), contextOf(visit)]);
      try {
        const id = createdId(await create(visit, subject, context));
        return { to: visit.at(`/debits/${id}`) };
      } catch (error) {
        const refused = error instanceof Refusal ? refusedOf(visit, error) : null;
        if (refused === null) throw error;
        renewKey(visit, error);
        return newPage(visit, { ...subject, soonest: soonestOf(context), refused });
      }
    },
  };
}
