import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../kernel/json.ts';
import { jsonFault } from '../../kernel/json-bounds.ts';
import { duplicateName } from '../../kernel/json-duplicates.ts';
import { jsonFaultIndex } from '../../kernel/json-fault.ts';
import { Refusal } from '../errors.ts';

const unsupported = (message: string): Refusal => new Refusal('unsupported_type', message);

/** Nothing here unpacks a body: its size would be unknown before it is read. */
export function checkContentEncoding(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === 'identity') return;
  throw unsupported('The body must not be compressed: send it without Content-Encoding.');
}

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

/**
 * Twice what the fullest legal body holds: metadata of 16 KiB with a value in every byte, and a
 * hundred items. What is deeper than metadata may be is told by its field.
 */
const bodyBounds = { maxDepth: 200, maxValues: 40_000, maxNumberLength: 1_000 };

/** An empty body is no body: undefined. */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Refusal('malformed', 'The body is not valid UTF-8.');
  const fault = jsonFault(bytes, bodyBounds);
  if (fault !== null) throw new Refusal('malformed', `The body is too much to read. ${fault}`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const parsed = parsedOf(text);
  const twice = duplicateName(text, parsed);
  if (twice !== null) throw new Refusal('malformed', twiceFault(twice));
  return parsed;
}

function parsedOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new Refusal('malformed', `The body is not valid JSON: ${syntaxFault(text)}.`);
  }
}

const longestShown = 40;

/** Parsers differ on which of two counts: whoever looked at a body may have seen the other. */
const twiceFault = (name: string): string =>
  `The body names ${JSON.stringify(name.slice(0, longestShown).toWellFormed())} twice in one object: send it once.`;

/** Names the byte, from 0, at which a text stops being JSON. */
function syntaxFault(text: string): string {
  const index = jsonFaultIndex(text);
  const where = `at byte ${Buffer.byteLength(text.slice(0, index))}`;
  const found = text.codePointAt(index);
  return found === undefined
    ? `it ends too early, ${where}`
    : `unexpected ${JSON.stringify(String.fromCodePoint(found))} ${where}`;
}
