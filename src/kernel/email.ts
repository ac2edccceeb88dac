import { lengthOf } from './text.ts';

const shape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;

/** In characters, counted in code points. */
export const longestEmail = 255;

/**
 * Normalises the addresses of one mailbox: lower case, without the part after a plus sign, which
 * senders choose freely.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.slice(0, at).indexOf('+', 1);
  const name = email.slice(0, plus < 0 ? at : plus);
  return `${name}${email.slice(at)}`.toLowerCase();
}

/**
 * True for a usual e-mail address: a name, `@`, and a domain of at least two labels; no quotes,
 * comments or several addresses.
 */
export const isEmail = (text: string): boolean =>
  shape.test(text) && lengthOf(text) <= longestEmail;
