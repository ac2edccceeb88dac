import { lengthOf } from './text.ts';

const shape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;

/** Maximum length of an address, in Unicode code points. */
export const longestEmail = 255;

/**
 * Normalizes an address to its mailbox: lower case, without the part after a plus sign, which is
 * the sender's choice.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.slice(0, at).indexOf('+', 1);
  const name = email.slice(0, plus < 0 ? at : plus);
  return `${name}${email.slice(at)}`.toLowerCase();
}

/**
 * Returns true for an ordinary email address: a name, `@`, and a domain with at least two labels.
 * Excludes quotes, comments and lists of addresses.
 */
export const isEmail = (text: string): boolean =>
  shape.test(text) && lengthOf(text) <= longestEmail;
