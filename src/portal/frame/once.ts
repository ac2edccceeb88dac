import { randomUUID } from 'node:crypto';
import type { Answer, OwnVisit } from './visit.ts';

/**
 * The address of a page whose form creates something contains the form's key. Going back and
 * sending it again repeats the key, which creates nothing. A link to the page leads to a new key.
 */

/** `true` accepts any key. A function draws keys, and only keys drawn here are accepted. */
export type Once = true | (() => Promise<string | number> | string);

export const keyField = 'key';
const proofField = 'proof';

export const keyShape = /^[0-9a-f-]{36}$/;

const proofOf = (path: string, key: string): string => `${path}?key=${key}`;

/** The key in a page's address; null if it has none or an invalid one. */
function keyOfPage(visit: OwnVisit, once: Once): string | null {
  const key = visit.query.get(keyField) ?? '';
  if (once === true) return keyShape.test(key) ? key : null;
  const proof = visit.query.get(proofField) ?? '';
  return visit.isToken(proof, proofOf(visit.path, key)) ? key : null;
}

/** The key of the current page. */
export function drawnKey({ query }: Pick<OwnVisit, 'query'>): string {
  const key = query.get(keyField);
  if (key === null) throw new Error('the page is not one that draws keys');
  return key;
}

/** Shows a page under its key; redirects visitors without one to an address that has one. */
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
