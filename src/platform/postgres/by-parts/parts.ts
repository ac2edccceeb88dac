/**
 * The parts of a statement that writes to several tables. Citus does not send such a statement to a
 * node as a whole: it runs each part and copies its rows, in two phases, to every node that may
 * need them. Single parts go to one node each, unchanged.
 */

/** One CTE after `with`. */
export interface Part {
  name: string;
  /** Names of its columns, if it declares them. */
  columns: readonly string[] | null;
  text: string;
  writes: boolean;
  target: string | null;
  /** Relations that it may read. These include an update's target, but not an insert's. */
  reads: ReadonlySet<string>;
  /** True if it declares that it may see the writes of earlier parts. */
  seesWritten: boolean;
  /** Names that it mentions, including those of earlier parts. */
  mentions: ReadonlySet<string>;
  /** The relation whose rows drive its changes. */
  drivenBy: string | null;
  insert: InsertFrom | null;
}

export interface InsertFrom {
  table: string;
  columns: readonly string[];
  query: string;
  /** `on conflict …` and `returning …`. */
  tail: string;
  returning: string | null;
}

export interface Parted {
  parts: readonly Part[];
  /** The statement after the parts. */
  last: Part;
  /** Why it cannot be split, or null. */
  fault: string | null;
}

const blank = (text: string): string => ' '.repeat(text.length);

/** Blanks quoted texts and comments, preserving length. */
export const maskOf = (text: string): string =>
  // bounded: our own SQL
  text.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, blank);

/** Returns the index of the closing bracket for `start`, or -1. */
function closing(mask: string, start: number): number {
  let depth = 0;
  for (let index = start; index < mask.length; index += 1) {
    if (mask[index] === '(') depth += 1;
    if (mask[index] === ')') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}

const isWithinWord = (mask: string, index: number): boolean =>
  /\w/.test(mask[index] ?? ' ') && /\w/.test(mask[index - 1] ?? ' ');

/** Returns the index of a match outside of brackets, or -1. */
export function outermost(mask: string, word: RegExp): number {
  let depth = 0;
  for (let index = 0; index < mask.length; index += 1) {
    if (mask[index] === '(' || mask[index] === '[') depth += 1;
    else if (mask[index] === ')' || mask[index] === ']') depth -= 1;
    else if (depth === 0 && !isWithinWord(mask, index)) {
      word.lastIndex = index;
      if (word.test(mask)) return index;
    }
  }
  return -1;
}

const unquoted = (name: string): string => name.replaceAll('"', '').trim();
const namesIn = (list: string): string[] => list.split(',').map(unquoted);

const insertHead = /^\s*insert\s+into\s+("?\w+"?)\s*\(([^()]*)\)\s*(?=select\b|with\b|\()/i;

function insertOf(text: string, mask: string): InsertFrom | null {
  const head = insertHead.exec(mask);
  if (!head) return null;
  const [{ length }, table = '', columns = ''] = head;
  const rest = mask.slice(length);
  const answer = outermost(rest, /returning\b/iy);
  const ends = [outermost(rest, /on\s+conflict\b/iy), answer].filter((place) => place >= 0);
  const end = length + Math.min(rest.length, ...ends);
  return {
    table: unquoted(table),
    columns: namesIn(columns),
    query: text.slice(length, end),
    tail: text.slice(end),
    returning: answer < 0 ? null : text.slice(length + answer).replace(/^returning\b/i, ''),
  };
}

/** Only statements with an insert are split. Citus sends others of a single account as a whole. */
const inserting = /^\s*insert\b/i;
const writing = /^\s*(?:insert|update|delete|merge)\b/i;
const driving =
  /^(?:from|using)\s+"?(\w+)"?(?:\s+(?:as\s+)?(?!left|full|right|join|cross)\w+)?\s+where\b/i;

/**
 * Returns the relation that alone drives an update or delete, or null. If the relation is empty,
 * the part has nothing to do.
 */
function driverOf(mask: string): string | null {
  const isDelete = /^\s*delete\b/i.test(mask);
  const place = outermost(mask, isDelete ? /using\b/iy : /from\b/iy);
  return place < 0 ? null : (driving.exec(mask.slice(place))?.[1] ?? null);
}

const changed =
  /^\s*(?:insert\s+into|update(?:\s+only)?|delete\s+from(?:\s+only)?|merge\s+into)\s+("?\w+"?)/i;
const insertTarget = /^\s*insert\s+into\s+"?\w+"?/i;
/** Matches bare names: neither a relation's column nor a relation before its column. */
const bareName = /(?<![.\w])(?:"([^"]+)"|([a-z_]\w*))(?!\s*\.)/gi;
const seeing = /\/\*\s*sees what was written\s*\*\//i;

function readsOf(mask: string): Set<string> {
  const names = mask.replace(insertTarget, blank).matchAll(bareName);
  return new Set([...names].map(([, quoted, bare = '']) => quoted ?? bare));
}

function partOf(name: string, columns: readonly string[] | null, text: string): Part {
  const mask = maskOf(text);
  const writes = writing.test(mask);
  const insert = insertOf(text, mask);
  const drivenBy = writes && !insert ? driverOf(mask) : null;
  const mentions = new Set((mask.match(/"[^"]+"|\b[a-z_]\w*/gi) ?? []).map(unquoted));
  const [, target = null] = changed.exec(mask) ?? [];
  return {
    name,
    columns,
    text,
    writes,
    target: target && unquoted(target),
    reads: readsOf(mask),
    seesWritten: seeing.test(text),
    mentions,
    drivenBy,
    insert,
  };
}

/**
 * Describes a part that reads a table written by an earlier one, or returns null. The part would
 * see those writes, which a single server hides until the statement ends. Parts that do not depend
 * on this say so in a comment, `sees what was written`.
 */
function seenTooEarly(parts: readonly Part[]): string | null {
  const written = new Map<string, string>();
  const relations = new Set<string>();
  for (const { name, target, reads, seesWritten } of parts) {
    for (const [table, writer] of written) {
      if (!reads.has(table) || relations.has(table) || seesWritten) continue;
      return `${name === '' ? 'The last part' : `Part ${name}`} reads ${table}, which part ${writer} of the same statement wrote.`;
    }
    if (target !== null && !written.has(target)) written.set(target, name);
    relations.add(name);
  }
  return null;
}

const partHead =
  // bounded: our own SQL
  /\s*(?:"([^"]+)"|([a-z_]\w*))\s*(\([^()]*\))?\s*as\s*(?:not\s+materialized\s*|materialized\s*)?\(/iy;

function parse(text: string): Parted | null {
  const mask = maskOf(text);
  const parts: Part[] = [];
  let place = /^\s*with\s+(?!recursive\b)/i.exec(mask)?.[0].length ?? 0;
  while (place > 0) {
    partHead.lastIndex = place;
    const head = partHead.exec(mask);
    if (!head) return null;
    const end = closing(mask, partHead.lastIndex - 1);
    if (end < 0) return null;
    const [, quoted, bare, columns] = head;
    const own = columns === undefined ? null : namesIn(columns.slice(1, -1));
    parts.push(partOf(quoted ?? bare ?? '', own, text.slice(partHead.lastIndex, end)));
    place = end + 1;
    const comma = /^\s*,/.exec(mask.slice(place));
    if (!comma) break;
    place += comma[0].length;
  }
  const last = partOf('', null, text.slice(place));
  const inserts = parts.some((part) => inserting.test(maskOf(part.text))) || last.insert !== null;
  return inserts ? { parts, last, fault: seenTooEarly([...parts, last]) } : null;
}

const known = new Map<string, Parted | null>();
const mostKnown = 10_000;

/** Splits a statement. Returns null if it runs as a whole. */
export function partsOf(text: string): Parted | null {
  let parted = known.get(text);
  if (parted === undefined) {
    parted = parse(text);
    if (known.size >= mostKnown) known.clear();
    known.set(text, parted);
  }
  return parted;
}
