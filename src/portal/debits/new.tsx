import type { DebitKind } from '../../debit-requests/index.ts';
import type { MandateRow } from '../../mandates/index.ts';
import { LongTextField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import { dayText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { type FieldWords, OnceField } from '../frame/creating.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { instrumentText } from '../mandates/list.tsx';
import { mandatePath, segmentOf } from '../mandates/places.ts';
import { newTexts } from './new-texts.ts';

type FieldName = keyof (typeof newTexts)['es']['fields'];
type FieldType = 'date' | 'month' | 'amount' | 'text' | 'long';

const shared = { description: 'long', external_reference: 'text' } as const;

/** The fields of each kind, in order. */
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

/** The first possible day of a debit. */
export interface Soonest {
  due: Temporal.PlainDate;
  period: { month: number; year: number };
}

export interface Refused {
  faults: readonly FieldFault[];
  told?: string;
  status: number;
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

/** The form of a debit on a mandate; `refused`: why the last input made none. */
export function newPage(visit: AccountVisit, model: NewModel): Page {
  const { lang, at } = visit;
  const { mandate, refused } = model;
  const texts = newTexts[lang];
  const action = at(`/debits/new/${segmentOf[mandate.kind]}/${mandate.id}`);
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
        {refused?.told !== undefined && (
          <Notice tone="bad">
            <p>{refused.told}</p>
          </Notice>
        )}
        <Form
          lang={lang}
          action={action}
          token={visit.token(action)}
          faults={refused?.faults ?? []}
          submit={texts.submit}
          back={at(mandatePath(mandate))}
        >
          <OnceField visit={visit} />
          <Fields visit={visit} model={model} />
        </Form>
      </>
    ),
  };
}

function Fields({ visit, model }: { visit: AccountVisit; model: NewModel }) {
  const { lang, posted } = visit;
  const { earliest, period } = newTexts[lang];
  const fields: FieldWords<FieldName> = newTexts[lang].fields;
  const hints: Partial<Record<FieldName, string>> = {
    first_due_date: earliest({ day: dayText(lang, model.soonest.due) }),
    period: period({ month: monthText(lang, model.soonest.period) }),
  };
  const types = Object.entries(fieldsOf[model.kind]) as [FieldName, FieldType][];
  return (
    <>
      {types.map(([name, type]) => {
        const hint = hints[name] ?? fields[name].hint;
        const field = {
          lang,
          name,
          label: fields[name].label,
          optional: !required.includes(name),
          ...(hint !== undefined && { hint }),
          fault: faultIn(model.refused?.faults ?? [])(name),
          value: posted.get(name) ?? '',
        };
        if (type === 'long') return <LongTextField key={name} {...field} rows={2} />;
        if (type === 'amount') return <TextField key={name} {...field} inputMode="decimal" short />;
        return <TextField key={name} {...field} type={type} />;
      })}
    </>
  );
}
