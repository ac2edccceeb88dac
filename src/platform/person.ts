/** A person who asks for their stored data, and the keys that find their rows. */
export interface Person {
  /** CUIT or CUIL of 11 digits, or DNI of 7 or 8. */
  cuit: string;
  /** Addresses that they proved to be theirs, in lower case. */
  emails: readonly string[];
  /** Names with addresses that rows with the number have: both together are the same person. */
  known: readonly { email: string; name: string }[];
  /** True if the number is the account's own, which texts show to everybody. */
  isHolder: boolean;
}

/** Replaces erased names and texts. */
export const erasedText = 'Dato suprimido';

/** Replaces erased CBUs: its check digits are right, and no bank has it. */
export const erasedCbu = '0'.repeat(22);

/** Suffix of the event that erases a payer, after the noun. */
export const erasedEvent = 'payer_erased';

const peoplesPrefixes = ['20', '23', '24', '27'];

/** The texts that a stored id number may be: the number, and the DNI within a person's CUIT. */
export function idNumbersOf({ cuit }: Person): string[] {
  const dni = cuit.slice(2, 10);
  return cuit.length === 11 && peoplesPrefixes.includes(cuit.slice(0, 2))
    ? [cuit, dni, dni.replace(/^0+/, '')]
    : [cuit];
}

/** A regular expression of the database: a CUIT within a text, with dashes or without. */
export function cuitPattern({
  cuit,
  isHolder = false,
}: Pick<Person, 'cuit'> & Partial<Person>): string {
  // A pattern that matches nothing.
  if (cuit.length !== 11 || isHolder) return 'a^';
  return `(^|[^0-9])${cuit.slice(0, 2)}[-. ]?${cuit.slice(2, 10)}[-. ]?${cuit.slice(10)}([^0-9]|$)`;
}

/** The same of any id number. A longer number that has the same digits does not match. */
export const numberPattern = ({ cuit }: Pick<Person, 'cuit'>): string =>
  cuit.length === 11 ? cuitPattern({ cuit }) : `(^|[^0-9])${cuit}([^0-9]|$)`;

/** A regular expression of the database: an address within a text, and no longer one. */
export const emailPattern = (email: string): string =>
  `(^|[^a-z0-9._%+-])${email.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}([^a-z0-9.-]|$)`;

/** Something for which a row is still needed, so that it cannot be erased yet. */
export interface StillNeeded {
  what: string;
  id: number;
  why: string;
}

/** The erasure of a person's data in one account. */
export interface Erasing {
  accountId: string;
  at: Temporal.Instant;
  /** As `actorText` writes it. */
  actor: string;
  /** Stored with each event: a file number, never a name. */
  reason: string;
}
