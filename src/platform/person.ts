/** A person who requests their stored data, and how to find their rows. */
export interface Person {
  /** CUIT or CUIL of 11 digits, or DNI of 7 or 8. */
  cuit: string;
  /** Addresses that the person has proved to be theirs, in lower case. */
  emails: readonly string[];
  /** Names and addresses that are stored together with the number, and so identify the person. */
  known: readonly { email: string; name: string }[];
  /** True if the number is the account's own, which many texts contain. */
  isHolder: boolean;
}

/** Replaces erased names and texts. */
export const erasedText = 'Dato suprimido';

/** Replaces erased CBUs: valid check digits, but no bank's. */
export const erasedCbu = '0'.repeat(22);

/** Suffix of the event that erases a payer, after the noun. */
export const erasedEvent = 'payer_erased';

const peoplesPrefixes = ['20', '23', '24', '27'];

/** Returns the forms of a stored id number: the number itself, and the DNI within a CUIT. */
export function idNumbersOf({ cuit }: Person): string[] {
  const dni = cuit.slice(2, 10);
  return cuit.length === 11 && peoplesPrefixes.includes(cuit.slice(0, 2))
    ? [cuit, dni, dni.replace(/^0+/, '')]
    : [cuit];
}

/** Returns a PostgreSQL regular expression for a CUIT in a text, with or without dashes. */
export function cuitPattern({
  cuit,
  isHolder = false,
}: Pick<Person, 'cuit'> & Partial<Person>): string {
  // Matches nothing.
  if (cuit.length !== 11 || isHolder) return 'a^';
  return `(^|[^0-9])${cuit.slice(0, 2)}[-. ]?${cuit.slice(2, 10)}[-. ]?${cuit.slice(10)}([^0-9]|$)`;
}

/**
 * Returns a PostgreSQL regular expression for the person's id number in a text, but not within
 * longer numbers.
 */
export const numberPattern = ({ cuit }: Pick<Person, 'cuit'>): string =>
  cuit.length === 11 ? cuitPattern({ cuit }) : `(^|[^0-9])${cuit}([^0-9]|$)`;

/** Returns a PostgreSQL regular expression for exactly this address in a text. */
export const emailPattern = (email: string): string =>
  `(^|[^a-z0-9._%+-])${email.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}([^a-z0-9.-]|$)`;

/** A reason to retain a row for now. */
export interface StillNeeded {
  what: string;
  id: number;
  why: string;
}

/** The erasure of a person's data in one account. */
export interface Erasing {
  accountId: string;
  at: Temporal.Instant;
  /** As written by `actorText`. */
  actor: string;
  /** Stored with each event: a case number, never a name. */
  reason: string;
}
