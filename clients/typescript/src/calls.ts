import type { Call } from './transport.ts';

export const named = (id: string | number): string => encodeURIComponent(id);

export const call = (
  method: Call['method'],
  path: string,
  repeat: Call['repeat'],
  body?: unknown,
): Call => ({ method, path, repeat, body });

export const read = (path: string, query?: object): Call => ({
  ...call('GET', path, 'safe'),
  query,
});

/** Reads an answer whose `data` is a list of objects. */
export const readPage = (path: string, query?: object): Call => ({
  ...read(path, query),
  shape: 'page',
});

export const post = (path: string, body?: unknown): Call => call('POST', path, 'keyed', body);
