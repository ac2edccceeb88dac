const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Returns the index after the string that begins at `start`, in valid JSON. */
function behindString(text: string, start: number): number {
  let index = start + 1;
  while (text.charCodeAt(index) !== quote) {
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  }
  return index + 1;
}

function countNames(text: string): number {
  let names = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.charCodeAt(index);
    if (code === quote) index = behindString(text, index);
    else {
      if (code === colon) names += 1;
      index += 1;
    }
  }
  return names;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return 0;
  const values = Object.values(value);
  let members = Array.isArray(value) ? 0 : values.length;
  for (const inner of values) members += countMembers(inner);
  return members;
}

/** Returns the first name that an object of valid JSON contains twice. */
function firstTwice(text: string): string {
  const open: Set<string>[] = [];
  for (let index = 0; index < text.length; ) {
    const letter = text[index];
    if (letter === '{') open.push(new Set());
    if (letter === '}') open.pop();
    if (letter !== '"') {
      index += 1;
      continue;
    }
    const end = behindString(text, index);
    const rest = /[^ \t\n\r]/g;
    rest.lastIndex = end;
    if (rest.exec(text)?.[0] === ':') {
      const name = JSON.parse(text.slice(index, end)) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
    index = end;
  }
  return '';
}

/**
 * Returns a duplicate member name in a JSON text, or null. Parsers silently keep only the last
 * value. `parsed` is the parsed text, which proves that the text is valid.
 */
export function duplicateName(text: string, parsed: unknown): string | null {
  return countNames(text) === countMembers(parsed) ? null : firstTwice(text);
}
