/** A JSON number kept as text. `JSON.stringify` writes it back digit by digit. */
export interface RawNumber {
  readonly rawJSON: string;
}

// The runtime has this proposal, but the compiler's libraries do not yet.
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** Returns true for numbers that `parseJson` kept as text. */
export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value);
}

/**
 * A decimal number as `digits × 10^exponent`, with digits trimmed of outer zeros. Zero has no
 * digits.
 */
export interface DecimalForm {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Normalizes a JSON number literal or `String(number)`. The literal must be valid. */
export function decimalForm(literal: string): DecimalForm {
  const negative = literal.startsWith('-');
  const [mantissa = '', power = '0'] = literal.slice(negative ? 1 : 0).split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first += 1;
  let end = all.length;
  while (end > first && all[end - 1] === '0') end -= 1;
  const digits = all.slice(first, end);
  const exponent = digits === '' ? 0 : Number(power) - fraction.length + all.length - end;
  return { negative, digits, exponent };
}

// Numbers of up to 15 digits without an exponent always survive binary64, so most texts need no
// second pass. A match inside a string is harmless: it only takes the slower path.
const suspectNumber = /(?:^|[:[,])\s*-?(?:[\d.]{16}|[\d.]+[eE])/;

/**
 * Parses JSON like `JSON.parse`, but keeps number literals that binary64 would change
 * (9007199254740993, 1e400) as values of `JSON.rawJSON`. `__proto__` is an ordinary own key. Throws
 * SyntaxError for malformed text.
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!suspectNumber.test(text)) return parsed;
  const quoted = quoteFragileNumbers(text);
  if (quoted === text) return parsed;
  return graftRawNumbers(parsed, JSON.parse(quoted));
}

/** Returns true if binary64 represents and prints the literal's exact value. */
function survives(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const asWritten = decimalForm(literal);
  const asStored = decimalForm(String(value));
  return asWritten.digits === asStored.digits && asWritten.exponent === asStored.exponent;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (
    index < text.length &&
    (isDigit(text.charCodeAt(index)) || '.eE+-'.includes(text.charAt(index)))
  ) {
    index += 1;
  }
  return index;
}

/** Puts every fragile number literal of a valid JSON text in quotes. */
function quoteFragileNumbers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 34) {
      index = endOfString(text, index);
    } else if (code === 45 || isDigit(code)) {
      const end = endOfNumber(text, index);
      const literal = text.slice(index, end);
      if (!survives(literal)) {
        parts.push(text.slice(copied, index), '"', literal, '"');
        copied = end;
      }
      index = end;
    } else {
      index += 1;
    }
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

type Container = Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && !JSON.isRawJSON(value);
}

/**
 * Walks two parses of the same document. In the first, replaces each number that is a string in the
 * second with its text. Iterative, because a deep document would exhaust the stack in a recursion
 * or a reviver.
 */
function graftRawNumbers(numbers: unknown, quoted: unknown): unknown {
  if (typeof numbers === 'number') return rawOr(numbers, quoted);
  const pairs: [unknown, unknown][] = [[numbers, quoted]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [target, source] = pair;
    if (!isContainer(target) || !isContainer(source)) continue;
    for (const key of Object.keys(target)) {
      const value = target[key];
      if (typeof value === 'number') target[key] = rawOr(value, source[key]);
      else if (typeof value === 'object') pairs.push([value, source[key]]);
    }
  }
  return numbers;
}

function rawOr(value: number, quoted: unknown): number | RawNumber {
  return typeof quoted === 'string' ? JSON.rawJSON(quoted) : value;
}

/** Returns the nesting depth of a JSON value: 0 for a scalar, 1 for `{}` and `[]`. */
export function jsonDepth(value: unknown): number {
  let depth = 0;
  let level = isContainer(value) ? [value] : [];
  while (level.length > 0) {
    depth += 1;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return depth;
}

function isForbidden(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/**
 * Returns true if any string or key contains NUL or a lone surrogate, which PostgreSQL cannot
 * store.
 */
export function hasForbiddenText(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      if (isForbidden(next)) return true;
    } else if (isContainer(next)) {
      for (const [key, inner] of Object.entries(next)) {
        if (isForbidden(key)) return true;
        pending.push(inner);
      }
    }
  }
  return false;
}
