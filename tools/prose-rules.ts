/** English text in a file: a comment, a sentence of a page, a text of a catalog, or a test name. */
export interface Passage {
  kind: 'comment' | 'sentence' | 'text' | 'test name';
  line: number;
  text: string;
}

const longestSentence = 40;

const words: readonly (readonly [RegExp, string])[] = [
  [/\btold\b/i, 'say who reads, knows or receives it'],
  [/\banew\b/i, '"again" or "new"'],
  [/\b(say|says|said|saying) again\b/i, '"repeat"'],
  [/\bwhoever\b/i, '"anyone who", or the role'],
  [/\b(he|him|his|himself)\b/i, '"they", "it", or the noun'],
];

const relative = /^(what|whatever|who|whom|whose|whoever|whether|where|wherever|how)\b/i;

/** Replaces code in backquotes and link targets, so that each counts as one word. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S+/g, 'link');

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const isQuoted = (before: string): boolean =>
  ['"', "'", '`'].some((quote) => before.split(quote).length % 2 === 0);

/** Returns a source's comments; consecutive `//` lines are one comment. */
export function commentsOf(source: string): Passage[] {
  const found: Passage[] = [];
  let open: Passage | null = null;
  let run: Passage | null = null;
  for (const [index, text] of source.split('\n').entries()) {
    const [, before = '', start] = /^(.*?[\s{(]|)\/\*\*?(.*)$/.exec(text) ?? [];
    if (open !== null) open.text += `\n${text.replace(/^\s*\*(?!\/) ?/, '')}`;
    else if (start !== undefined && !isQuoted(before))
      open = { kind: 'comment', line: index + 1, text: start };
    if (open !== null) {
      run = null;
      const end = open.text.indexOf('*/');
      if (end < 0) continue;
      found.push({ ...open, text: open.text.slice(0, end).trim() });
      open = null;
      continue;
    }
    const [, code = '', comment] = /^(\s*|.*\s)\/\/ (.*)$/.exec(text) ?? [];
    if (comment === undefined || isQuoted(code)) run = null;
    else if (run !== null && code.trim() === '') run.text += `\n${comment}`;
    else {
      const one: Passage = { kind: 'comment', line: index + 1, text: comment };
      found.push(one);
      run = code.trim() === '' ? one : null;
    }
  }
  return found;
}

const testNames = [
  /\b(?:test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(?:'((?:\\.|[^'\\])*)'|`([^`]*)`)/g,
  /\b(?:test|describe)(?:\.\w+)*\.(?:each|for)\([\s\S]*?\)\(\s*(?:'((?:\\.|[^'\\])*)'|`([^`]*)`)/g,
];

/** Returns the names of a source's tests and groups. */
export function testNamesOf(source: string): Passage[] {
  const lines = new Map<number, string>();
  for (const pattern of testNames)
    for (const match of source.matchAll(pattern)) {
      const { 0: whole, 1: quoted, 2: template, index } = match;
      lines.set(lineOf(source, index + whole.length), quoted ?? template ?? '');
    }
  return [...lines].map(([line, text]) => ({ kind: 'test name', line, text }));
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Returns the sentences of a page, without its code and its generated parts. */
export function sentencesOf(page: string): Passage[] {
  const prose = page
    .replace(/^---\n[\s\S]*?\n---$/m, blank)
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, blank)
    .replace(/<!-- generated [\s\S]*?<!-- end -->/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[.?!|]/g, '_'));
  const ends = /[.?!][)"*_]*\s|\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.)\s?)|(?<=^\|.*)\|/gm;
  const cuts = [...prose.matchAll(ends)].map(({ 0: end, index }) => index + end.length);
  return [0, ...cuts].flatMap((start, index) => {
    const text = prose.slice(start, cuts[index]);
    const first = start + text.search(/\S/);
    return /\w/.test(text)
      ? [{ kind: 'sentence' as const, line: lineOf(prose, first), text: text.trim() }]
      : [];
  });
}

export const textsOf = (catalog: string): Passage[] =>
  [...catalog.matchAll(/"(?:[^"\\]|\\.)*": ("(?:[^"\\]|\\.)*")/g)].map(
    ({ index, 1: text = '""' }) => ({
      kind: 'text',
      line: lineOf(catalog, index),
      text: JSON.parse(text),
    }),
  );

/** Returns a passage's violations of the style guide, with remedies. */
export function proseFaults({ kind, text }: Passage): string[] {
  const english = plain(text).trim();
  const faults = words.flatMap(([word, instead]) => {
    const [match] = word.exec(english) ?? [];
    return match === undefined ? [] : [`"${match}": write ${instead}`];
  });
  const [first] = relative.exec(english) ?? [];
  if (first !== undefined && (kind === 'comment' || kind === 'test name'))
    faults.push(`begins with "${first}": name the thing first`);
  const length = english.split(/\s+/).filter((word) => /\w/.test(word)).length;
  if (kind === 'sentence' && length > longestSentence)
    faults.push(`sentence of ${length} words: at most ${longestSentence}`);
  return faults;
}
