import { lengthOf } from './text.ts';

const shape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;

/** In characters, counted in code points. */
export const longestEmail = 255;

/**
 * Whether a text is an e-mail address as people have them: a name, `@`, and a domain of at least two
 * labels; no quotes, comments or several addresses.
 */
export const isEmail = (text: string): boolean =>
  shape.test(text) && lengthOf(text) <= longestEmail;
