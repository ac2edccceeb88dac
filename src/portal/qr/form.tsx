import { ChoicesField } from '../../platform/pages/components/field.tsx';
import { faultIn } from '../../platform/pages/components/form.tsx';
import { amountOf, dayTextOf } from '../../platform/spreadsheets/cells.ts';
import { staticTypes } from '../../qr/http.ts';
import {
  CreatingField,
  CreatingForm,
  type FieldType,
  type FieldWords,
  type Refused,
} from '../frame/creating.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { type FieldName, formTexts } from './form-texts.ts';
import { qrTexts } from './texts.ts';

export type QrForm = 'dynamic' | 'static' | 'edit';
type QrFieldType = FieldType | 'many' | 'kind';

const dynamic = {
  payer_name: 'text',
  description: 'long',
  first_total: 'amount',
  first_due_date: 'date',
  second_due_date: 'date',
  second_total: 'amount',
  external_reference: 'text',
  city: 'short',
  postal_code: 'short',
  qr_name: 'short',
  payer_email: 'email',
  multiple_payment: 'many',
} as const;

const fieldsOf: Readonly<Record<QrForm, Partial<Record<FieldName, QrFieldType>>>> = {
  dynamic: { id: 'short', ...dynamic },
  edit: dynamic,
  static: {
    id: 'short',
    qr_type: 'kind',
    qr_name: 'short',
    payer_name: 'text',
    description: 'long',
    city: 'short',
    postal_code: 'short',
    multiple_payment: 'many',
  },
};

const required: Readonly<Record<QrForm, readonly FieldName[]>> = {
  dynamic: ['id', 'payer_name', 'description', 'first_total', 'first_due_date', 'city'],
  static: ['id', 'qr_type', 'qr_name', 'payer_name', 'description', 'city'],
  edit: ['payer_name', 'description', 'first_total', 'first_due_date', 'city'],
};

/** Converts a form to an item of an API request, which has other formats for amounts and days. */
export function itemIn({ posted }: AccountVisit, form: QrForm): Record<string, string> {
  const fields = Object.entries(fieldsOf[form]) as [FieldName, QrFieldType][];
  return Object.fromEntries(
    fields.map(([name, type]) => {
      const text = (posted.get(name) ?? '').trim();
      if (type === 'many') return [name, text === 'true' ? 'true' : 'false'];
      if (type === 'amount') return [name, amountOf(text)];
      return [name, type === 'date' ? dayTextOf(text) : text];
    }),
  );
}

export interface FormModel {
  form: QrForm;
  values: Readonly<Partial<Record<FieldName, string>>>;
  /** Path of the form within the account. */
  path: string;
  up: { href: string; label: string };
  refused?: Refused;
}

/** Renders the form of a new or changed QR, with the errors of refused input. */
export function formPage(visit: AccountVisit, model: FormModel): Page {
  const { lang } = visit;
  const { form, path, up, refused } = model;
  const texts = formTexts[lang];
  return {
    title: texts.titles[form],
    status: refused?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.titles[form]}
          up={up}
          {...(form === 'edit' && { lead: texts.blankStays })}
        />
        <CreatingForm
          visit={visit}
          path={path}
          submit={texts.submits[form]}
          back={up.href}
          refused={refused}
          {...(form === 'edit' && { once: null })}
        >
          {(Object.entries(fieldsOf[form]) as [FieldName, QrFieldType][]).map(([name, type]) => (
            <QrField key={name} visit={visit} model={model} name={name} type={type} />
          ))}
        </CreatingForm>
      </>
    ),
  };
}

type FieldProps = { visit: AccountVisit; model: FormModel; name: FieldName; type: QrFieldType };

function QrField({ visit, model, name, type }: FieldProps) {
  const { lang, posted } = visit;
  const { form, values, refused } = model;
  const texts = formTexts[lang];
  const { label, hint }: FieldWords[string] = texts.fields[name];
  // Shows the rejected input again, including empty fields and unticked boxes.
  const value = refused === undefined ? (values[name] ?? '') : (posted.get(name) ?? '');
  const field = {
    lang,
    name,
    label,
    optional: !required[form].includes(name),
    ...(hint !== undefined && { hint }),
    fault: faultIn(refused?.faults ?? [])(name),
  };
  if (type === 'many') {
    const choices = [{ value: 'true', label: texts.many }];
    return <ChoicesField {...field} kind="checkbox" choices={choices} values={[value]} />;
  }
  if (type === 'kind') {
    const { wall } = qrTexts[lang];
    const choices = staticTypes.map((kind) => ({
      value: kind,
      label: kind === 'static_open_amount' ? wall.open : wall.closed,
    }));
    return <ChoicesField {...field} kind="radio" choices={choices} values={[value]} />;
  }
  return (
    <CreatingField
      {...{ visit, name, type, refused, value }}
      words={texts.fields[name]}
      optional={field.optional}
    />
  );
}
