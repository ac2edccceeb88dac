import { createHash } from 'node:crypto';
import { refusals } from './codes.ts';
import { Refusal } from './errors.ts';

/** Values of a form's fields as texts; empty if unset. */
export type FieldValues = Readonly<Record<string, string>>;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** The version of a form: a digest of the values that it showed. */
export const seenOf = (held: FieldValues): string =>
  Object.entries(held)
    .map(([field, text]) => `${field}:${digestOf(text)}`)
    .join(' ');

/**
 * The values that a form would change were saved by someone else meanwhile: 409, nothing changes.
 */
export class Overtaken extends Refusal {
  /** Current values of the fields that differ from what the form showed. */
  readonly changed: FieldValues;
  /** The version of a form that shows the current values. */
  readonly seen: string;

  constructor(changed: FieldValues, seen: string) {
    super(
      'conflict',
      refusals.fault('changed_meanwhile', { fields: Object.keys(changed).join(', ') }),
    );
    this.name = 'Overtaken';
    this.changed = changed;
    this.seen = seen;
  }
}

/**
 * Rejects a decision based on outdated values. Call it with the values of a locked row: of two
 * concurrent calls the second finds what the first wrote. Callers without a version, such as
 * commands, pass.
 */
export function refuseOvertaken(seen: string | undefined, held: FieldValues): void {
  if (seen === undefined || seen === '') return;
  const digests = new Map(
    seen.split(' ').map((one) => {
      const colon = one.lastIndexOf(':');
      return [one.slice(0, colon), one.slice(colon + 1)] as const;
    }),
  );
  const asked = Object.entries(held).filter(([field]) => digests.has(field));
  const changed = asked.filter(([field, text]) => digests.get(field) !== digestOf(text));
  if (changed.length === 0) return;
  throw new Overtaken(Object.fromEntries(changed), seenOf(Object.fromEntries(asked)));
}
