/** Tokens that may come next in a JSON text. */
type Awaited = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'next' | 'nothing';

const blanks = /[ \t\n\r]*/y;
// Matches a string up to its closing quote or first invalid character. Quotes, backslashes and
// control characters must be escaped.
const text = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Returns the end of a match at `from`, or `from` without a match. */
function endOf(pattern: RegExp, source: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(source) ? pattern.lastIndex : from;
}

/**
 * Returns the index of the first invalid character of a JSON text (RFC 8259), or the length of the
 * text if it is valid or ends too early.
 */
export function jsonFaultIndex(source: string): number {
  const open: ('{' | '[')[] = [];
  let awaited: Awaited = 'value' as Awaited;
  const afterValue = (): Awaited => (open.length > 0 ? 'next' : 'nothing');
  for (let index = 0; ; ) {
    index = endOf(blanks, source, index);
    const letter = source[index];
    if (letter === undefined) return source.length;
    const isValue: boolean = awaited === 'value' || awaited === 'value or ]';
    const isName: boolean = awaited === 'name' || awaited === 'name or }';
    if (letter === '"' && (isValue || isName)) {
      const end = endOf(text, source, index);
      if (source[end] !== '"') return end;
      index = end + 1;
      awaited = isName ? ':' : afterValue();
      continue;
    }
    if (isValue && (letter === '{' || letter === '[')) {
      open.push(letter);
      awaited = letter === '{' ? 'name or }' : 'value or ]';
    } else if (closes(letter, awaited, open.at(-1))) {
      open.pop();
      awaited = afterValue();
    } else if (letter === ':' && awaited === ':') awaited = 'value';
    else if (letter === ',' && awaited === 'next') {
      awaited = open.at(-1) === '{' ? 'name' : 'value';
    } else {
      const end = isValue ? endOf(scalar, source, index) : index;
      if (end === index) return index;
      index = end;
      awaited = afterValue();
      continue;
    }
    index += 1;
  }
}

const closes = (letter: string, awaited: Awaited, open: '{' | '[' | undefined): boolean =>
  letter === '}'
    ? open === '{' && (awaited === 'next' || awaited === 'name or }')
    : letter === ']' && open === '[' && (awaited === 'next' || awaited === 'value or ]');
