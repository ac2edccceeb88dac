import { createHash } from 'node:crypto';
import { refusals } from './codes.ts';
import { Refusal } from './errors.ts';

/** What the fields of a form hold, each as one text; empty where it holds nothing. */
export type Held = Readonly<Record<string, string>>;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** What a form goes by: it says what its fields held when it was shown. */
export const seenOf = (held: Held): string =>
  Object.entries(held)
    .map(([field, text]) => `${field}:${digestOf(text)}`)
    .join(' ');

/** Somebody else saved meanwhile what a form was about to change: 409, and nothing is changed. */
export class Overtaken extends Refusal {
  /** What is held now, of the fields that are not what the form showed. */
  readonly changed: Held;
  /** What a form goes by that shows what is held now. */
  readonly seen: string;

  constructor(changed: Held, seen: string) {
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
 * Refuses what was decided by values that are held no more. Called with the values of a row that is
 * locked: of two at once the second finds what the first wrote. Who says nothing of what he saw, as
 * a command, is not asked.
 */
export function refuseOvertaken(seen: string | undefined, held: Held): void {
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
