import type { DebitKind } from '../../debit-requests/index.ts';
import type { MandateRow } from '../../mandates/index.ts';
import { dayText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import {
  CreatingField,
  CreatingForm,
  type FieldType,
  type FieldWords,
  type Refused,
} from '../frame/creating.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { instrumentText } from '../mandates/list.tsx';
import { mandatePath, segmentOf } from '../mandates/places.ts';
import { newTexts } from './new-texts.ts';

type FieldName = keyof (typeof newTexts)['es']['fields'];

const shared = { description: 'long', external_reference: 'text' } as const;

/** Fields of each kind, in order. */
const fieldsOf: Readonly<Record<DebitKind, Partial<Record<FieldName, FieldType>>>> = {
  debit_request: {
    first_due_date: 'date',
    first_total: 'amount',
    second_due_date: 'date',
    second_total: 'amount',
    ...shared,
  },
  card_debit_request: { period: 'month', amount: 'amount', ...shared },
};

const required: readonly FieldName[] = ['first_due_date', 'first_total', 'period', 'amount'];

/** The first possible due date of a bank debit, and the first open month of a card debit. */
export interface Soonest {
  due: Temporal.PlainDate;
  period: { month: number; year: number };
}

const monthText = (lang: Lang, { month, year }: Soonest['period']): string =>
  new Intl.DateTimeFormat(lang === 'es' ? 'es-AR' : 'en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(
    Temporal.PlainDate.from({ year, month, day: 1 }).toZonedDateTime('UTC').epochMilliseconds,
  );

interface NewModel {
  kind: DebitKind;
  mandate: MandateRow;
  soonest: Soonest;
  refused?: Refused;
}

/** Renders the form of a debit on a mandate, with the errors of refused input. */
export function newPage(visit: AccountVisit, model: NewModel): Page {
  const { lang, at } = visit;
  const { mandate, refused } = model;
  const texts = newTexts[lang];
  return {
    title: texts.title,
    status: refused?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={<bdi>{instrumentText(lang, mandate)}</bdi>}
          up={{ href: at(mandatePath(mandate)), label: mandate.holder }}
        />
        <CreatingForm
          visit={visit}
          path={`/debits/new/${segmentOf[mandate.kind]}/${mandate.id}`}
          submit={texts.submit}
          back={at(mandatePath(mandate))}
          refused={refused}
        >
          <Fields visit={visit} model={model} />
        </CreatingForm>
      </>
    ),
  };
}

function Fields({ visit, model }: { visit: AccountVisit; model: NewModel }) {
  const { lang } = visit;
  const { earliest, period } = newTexts[lang];
  const fields: FieldWords<FieldName> = newTexts[lang].fields;
  const hints: Partial<Record<FieldName, string>> = {
    first_due_date: earliest({ day: dayText(lang, model.soonest.due) }),
    period: period({ month: monthText(lang, model.soonest.period) }),
  };
  const types = Object.entries(fieldsOf[model.kind]) as [FieldName, FieldType][];
  return (
    <>
      {types.map(([name, type]) => (
        <CreatingField
          key={name}
          visit={visit}
          name={name}
          type={type}
          words={{ ...fields[name], ...(hints[name] && { hint: hints[name] }) }}
          optional={!required.includes(name)}
          refused={model.refused}
        />
      ))}
    </>
  );
}
