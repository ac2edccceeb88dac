import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { Refusal, walkFaults } from '../../platform/errors.ts';
import { fingerprintOf, type IdempotencyClaim } from '../../platform/idempotency.ts';
import { LongTextField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { refusal } from './codes.ts';
import { refusalText } from './faults.ts';
import { formTo } from './form-to.ts';
import { keyField, keyShape } from './once.ts';
import type { AccountVisit, OwnVisit } from './visit.ts';

type Keyed = Pick<OwnVisit, 'posted' | 'query'>;

/** Returns the idempotency key: the form's, else the page's, else a new one. */
export function keyIn({ posted, query }: Keyed): string {
  const sent = posted.get(keyField) ?? query.get(keyField) ?? '';
  return keyShape.test(sent) ? sent : randomUUID();
}

/** Errors of a form that created nothing. */
export interface Refused {
  faults: readonly FieldFault[];
  /** Reason that belongs to no field. */
  message?: ComponentChildren;
  status: number;
}

interface CreatingProps {
  visit: AccountVisit;
  /** Path of the form within the account. */
  path: string;
  submit: string;
  back: string;
  refused?: Refused | undefined;
  grave?: boolean;
  /** Idempotency key. Null for a form that changes an existing entity. */
  once?: string | null;
  children: ComponentChildren;
}

/** Renders the form of an API call that creates something. */
export function CreatingForm({ visit, refused, once = keyIn(visit), ...form }: CreatingProps) {
  return (
    <>
      {refused?.message != null && <Notice tone="bad" text={refused.message} />}
      <Form
        {...formTo(visit, visit.at(form.path))}
        faults={refused?.faults ?? []}
        submit={form.submit}
        grave={form.grave ?? false}
        back={form.back}
      >
        {once !== null && <input type="hidden" name={keyField} value={once} />}
        {form.children}
      </Form>
    </>
  );
}

const looks = {
  text: {},
  short: { short: true },
  amount: { inputMode: 'decimal', short: true },
  digits: { inputMode: 'numeric' },
  date: { type: 'date' },
  month: { type: 'month' },
  email: { type: 'email' },
} as const;
export type FieldType = keyof typeof looks | 'long' | 'secret';

interface CreatingFieldProps {
  visit: AccountVisit;
  name: string;
  type: FieldType;
  words: FieldWords[string];
  optional: boolean;
  refused: Refused | undefined;
  /** Default: the submitted text. */
  value?: string;
}

/** Renders a field of such a form. Never shows a submitted secret again. */
export function CreatingField({ visit, type, words, refused, ...own }: CreatingFieldProps) {
  const { name, value = visit.posted.get(name) ?? '' } = own;
  const { label, hint } = words;
  const fault = faultIn(refused?.faults ?? [])(name);
  const field = { ...own, lang: visit.lang, label, fault, value, ...(hint && { hint }) };
  if (type === 'long') return <LongTextField {...field} rows={2} />;
  if (type === 'secret')
    return <TextField {...field} {...looks.digits} value="" autocomplete="off" />;
  return <TextField {...field} {...looks[type]} autocomplete="off" />;
}

/** Returns a form's idempotency claim, scoped to its address. Throws 400 without a key. */
export function claimIn({ posted, path }: Pick<OwnVisit, 'posted' | 'path'>): IdempotencyClaim {
  const key = posted.get(keyField) ?? '';
  if (!keyShape.test(key)) throw refusal('form.no_key', {});
  // The form's token differs each time.
  const said = [...posted].filter(([name]) => name !== 'token' && name !== keyField);
  const fingerprint = fingerprintOf(Buffer.from(JSON.stringify(said)));
  return { path, key, fingerprint };
}

/**
 * Drops the key of a form that was already sent with other values. The form shown again then draws
 * a new key, so that its next submission creates something.
 */
export function renewKey({ posted }: Pick<OwnVisit, 'posted'>, refusal: unknown): void {
  if (refusal instanceof Refusal && refusal.kind === 'unprocessable') posted.delete(keyField);
}

/** Returns the id of the created entity from the stored response. */
export const createdId = ({ answer }: { answer: { body: string } }): string =>
  String(JSON.parse(answer.body).id);

/** Texts of a page's fields: labels, hints, and messages for faults. */
export type FieldWords<Name extends string = string> = Readonly<
  Record<Name, { readonly label: string; readonly hint?: string; readonly fault?: string }>
>;

/**
 * Returns a verb's faults for the fields of a page, with the page's own texts where it has some.
 * Returns null if the refusal concerns no field.
 */
export function faultsOf(lang: Lang, refusal: Refusal, words: FieldWords): FieldFault[] | null {
  if (!refusal.children) return null;
  const found = walkFaults(refusal.children).map((one) => [one.path[0] ?? '', one] as const);
  return [...new Map(found)].map(([field, one]) => ({
    field,
    label: words[field]?.label ?? field,
    text: words[field]?.fault ?? refusalText(lang, one),
  }));
}
