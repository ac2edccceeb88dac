export interface ApiCall {
  accountId: string;
  atMs: number;
  requestId: string;
  method: string;
  /** Without query values and long numbers. */
  path: string;
  status: number;
  ms: number;
  keyId: number | null;
}

/** Status of a call that its client aborted. */
export const givenUp = 499;

const longestPath = 200;

/** Matches our short parameter names. Anything else may be a value without its name. */
const nameOf = (pair: string): string | null => /^[a-z_]{1,40}(?==)/.exec(pair)?.[0] ?? null;

/** Masks runs of digits long enough for a card, an account or a barcode. */
const withoutNumbers = (path: string): string => path.replace(/\d{12,}/g, '…');

/** Returns the address to log: the path, and the names of query parameters. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return withoutNumbers(url).slice(0, longestPath);
  const names = url
    .slice(mark + 1, mark + 1 + longestPath)
    .split('&')
    .map(nameOf);
  const known = [...new Set(names.filter((name) => name !== null))];
  const query = known.length > 0 ? `?${known.map((name) => `${name}=`).join('&')}` : '';
  return `${withoutNumbers(url.slice(0, mark))}${query}`.slice(0, longestPath);
}
