import type { Call } from './transport.ts';

export const named = (id: string | number): string => encodeURIComponent(id);

export const read = (path: string, query?: object): Call => ({
  method: 'GET',
  path,
  query,
  repeat: 'safe',
});

/** Reads an answer whose `data` is a list of objects. */
export const readPage = (path: string, query?: object): Call => ({
  ...read(path, query),
  shape: 'page',
});

export const post = (path: string, body?: unknown): Call => ({
  method: 'POST',
  path,
  body,
  repeat: 'keyed',
});
