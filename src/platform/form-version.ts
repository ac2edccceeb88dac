import { createHash } from 'node:crypto';
import { fault } from './codes.ts';
import { Refusal } from './errors.ts';

/** A form's values as texts. Empty if unset. */
export type FieldValues = Readonly<Record<string, string>>;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** Returns a form's version: digests of its displayed values. */
export const formVersion = (values: FieldValues): string =>
  Object.entries(values)
    .map(([field, text]) => `${field}:${digestOf(text)}`)
    .join(' ');

/** Another user changed the form's values concurrently: 409. */
export class OutdatedForm extends Refusal {
  /** Current values of the fields that differ from the form's. */
  readonly changed: FieldValues;
  /** The version for the current values. */
  readonly seen: string;

  constructor(changed: FieldValues, seen: string) {
    super('conflict', fault('changed_meanwhile', { fields: Object.keys(changed).join(', ') }));
    this.name = 'OutdatedForm';
    this.changed = changed;
    this.seen = seen;
  }
}

/**
 * Rejects a change based on outdated values. Pass the values of a locked row, so that the second of
 * two concurrent calls sees the first's. Accepts callers without a version, such as commands.
 */
export function refuseOutdated(seen: string | undefined, values: FieldValues): void {
  if (seen === undefined || seen === '') return;
  const digests = new Map(
    seen.split(' ').map((one) => {
      const colon = one.lastIndexOf(':');
      return [one.slice(0, colon), one.slice(colon + 1)] as const;
    }),
  );
  const submitted = Object.entries(values).filter(([field]) => digests.has(field));
  const changed = submitted.filter(([field, text]) => digests.get(field) !== digestOf(text));
  if (changed.length === 0) return;
  throw new OutdatedForm(Object.fromEntries(changed), formVersion(Object.fromEntries(submitted)));
}
