import { randomUUID } from 'node:crypto';
import type { Answer, OwnVisit } from './visit.ts';

// Puts a form's idempotency key into the address of its page. Going back and submitting again
// repeats the key and creates nothing, while a link to the page draws a new key.

/** `true` accepts any key. A function draws keys, and only drawn keys are accepted. */
export type Once = true | (() => Promise<string | number> | string);

export const keyField = 'key';
const proofField = 'proof';

export const keyShape = /^[0-9a-f-]{36}$/;

const proofOf = (path: string, key: string): string => `${path}?key=${key}`;

/** Returns the key in a page's address, or null if it is missing or invalid. */
function keyOfPage(visit: OwnVisit, once: Once): string | null {
  const key = visit.query.get(keyField) ?? '';
  if (once === true) return keyShape.test(key) ? key : null;
  const proof = visit.query.get(proofField) ?? '';
  return visit.isToken(proof, proofOf(visit.path, key)) ? key : null;
}

/** Returns the key of the current page. */
export function drawnKey({ query }: Pick<OwnVisit, 'query'>): string {
  const key = query.get(keyField);
  if (key === null) throw new Error('the page is not one that draws keys');
  return key;
}

/** Shows a page under its key. Redirects visitors without a key to an address with one. */
export const keyed =
  <V extends OwnVisit>(read: (visit: V) => Promise<Answer>, once: Once) =>
  async (visit: V): Promise<Answer> => {
    if (keyOfPage(visit, once) !== null) return await read(visit);
    const key = once === true ? randomUUID() : String(await once());
    const query = new URLSearchParams(visit.query);
    query.set(keyField, key);
    if (once !== true) query.set(proofField, visit.token(proofOf(visit.path, key)));
    return { to: `${visit.path}?${query}` };
  };
