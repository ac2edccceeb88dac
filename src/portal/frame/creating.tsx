import { randomUUID } from 'node:crypto';
import { Refusal, walkFaults } from '../../platform/errors.ts';
import { fingerprintOf, type IdempotencyClaim } from '../../platform/idempotency.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { refusal } from './codes.ts';
import { refusalText } from './faults.ts';
import { keyField, keyShape } from './once.ts';
import type { OwnVisit } from './visit.ts';

/** Idempotency of forms that create: a form that is sent twice creates once. */

type Keyed = Pick<OwnVisit, 'posted' | 'query'>;

/** The replay key of a form: the submitted one, else the page's. */
export function keyIn({ posted, query }: Keyed): string {
  const sent = posted.get(keyField) ?? query.get(keyField) ?? '';
  return keyShape.test(sent) ? sent : randomUUID();
}

/** The hidden field with the form's idempotency key; a page that failed keeps its own. */
export function OnceField({ visit }: { visit: Keyed }) {
  return <input type="hidden" name={keyField} value={keyIn(visit)} />;
}

/** A form's idempotency claim, scoped to its address. 400 without a key. */
export function claimIn({ posted, path }: Pick<OwnVisit, 'posted' | 'path'>): IdempotencyClaim {
  const key = posted.get(keyField) ?? '';
  if (!keyShape.test(key)) throw refusal('form.no_key', {});
  // The form's token differs each time.
  const said = [...posted].filter(([name]) => name !== 'token' && name !== keyField);
  const fingerprint = fingerprintOf(Buffer.from(JSON.stringify(said)));
  return { path, key, fingerprint };
}

/**
 * Gives a new key to a form that was sent before with other values, so that sending it again
 * creates.
 */
export function asksAnew({ posted }: Pick<OwnVisit, 'posted'>, refusal: unknown): void {
  if (refusal instanceof Refusal && refusal.kind === 'unprocessable') posted.delete(keyField);
}

/** The id of the created entity, from the stored answer. */
export const createdId = ({ answer }: { answer: { body: string } }): string =>
  String(JSON.parse(answer.body).id);

/** Texts of a page's fields: labels, and messages for faults. */
export type FieldWords<Name extends string = string> = Readonly<
  Record<Name, { readonly label: string; readonly hint?: string; readonly fault?: string }>
>;

/**
 * Returns a verb's faults for the fields of a page, with the page's own texts where it has some.
 * Null if the refusal concerns no field.
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
