import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../kernel/json.ts';
import { Refusal } from '../errors.ts';

const unsupported = (message: string): Refusal => new Refusal('unsupported_type', message);

/** A body without Content-Type is JSON; application/json with or without charset=utf-8 is too. */
export function checkContentType(header: string | undefined): void {
  if (header === undefined || header.trim() === '') return;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') {
    throw unsupported('The body must be JSON: send Content-Type: application/json.');
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) {
    throw unsupported('The body must be UTF-8: no other charset is accepted.');
  }
}

/** An empty body is no body: undefined. */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal('malformed', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return parseJson(text);
  } catch {
    throw new Refusal('malformed', 'The body is not valid JSON.');
  }
}
