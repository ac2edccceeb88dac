import { isUtf8 } from 'node:buffer';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { parseJson } from '../../kernel/json.ts';
import { jsonFault } from '../../kernel/json-bounds.ts';
import { duplicateName } from '../../kernel/json-duplicates.ts';
import { jsonFaultIndex } from '../../kernel/json-fault.ts';
import { refusal } from '../codes.ts';

/** Throws 415 for compressed bodies, whose size is unknown before they are read. */
export function checkContentEncoding(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === 'identity') return;
  throw refusal('unsupported_encoding', {});
}

/**
 * Throws 415 unless the body is JSON: no Content-Type, or application/json, optionally with
 * charset=utf-8.
 */
export function checkContentType(header: string | undefined): void {
  if (header === undefined || header.trim() === '') return;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') throw refusal('unsupported_media_type', {});
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) {
    throw refusal('unsupported_charset', {});
  }
}

/**
 * Twice what the largest valid body needs: metadata of 16 KiB with a value in every byte, and a
 * hundred items. Forms have a lower limit for nesting, and report it at the field.
 */
const bodyBounds = { maxDepth: 200, maxValues: 40_000, maxNumberLength: 1_000 };

/** Bytes scanned per turn of the event loop. */
const pieceBytes = 64 * 1024;

/**
 * Parses a JSON body, or returns undefined if it is empty. Yields while parsing a long one. Throws
 * 400 if it is malformed, too complex, or repeats a member.
 */
export async function readJsonBody(bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw refusal('body_not_utf8', {});
  const isLong = bytes.length > pieceBytes;
  const look = jsonFault(bytes, bodyBounds, pieceBytes);
  let step = look.next();
  while (!step.done) {
    await othersTurn();
    step = look.next();
  }
  const fault = step.value;
  if (fault !== null) throw refusal('body_too_complex', fault);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const parsed = parsedOf(text);
  if (isLong) await othersTurn();
  // Parsers disagree on duplicates, so a proxy that inspected the body may have used the other one.
  const twice = duplicateName(text, parsed);
  if (twice === null) return parsed;
  const name = JSON.stringify(twice.slice(0, maxQuotedLength).toWellFormed());
  throw refusal('duplicate_member', { name });
}

const maxQuotedLength = 40;

function parsedOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw refusal('invalid_json', syntaxFault(text));
  }
}

/** Returns the zero-based offset and the character of the first syntax error. */
function syntaxFault(text: string): { found: string; at: number } {
  const index = jsonFaultIndex(text);
  const found = text.codePointAt(index);
  return {
    found: found === undefined ? 'end' : JSON.stringify(String.fromCodePoint(found)),
    at: Buffer.byteLength(text.slice(0, index)),
  };
}
