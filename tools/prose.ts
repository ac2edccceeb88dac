import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import {
  commentsOf,
  type Passage,
  proseFaults,
  sentencesOf,
  testNamesOf,
  textsOf,
} from './prose-rules.ts';

/**
 * Checks English by the rules of docs/explanation/style.md that need no reader: comments, pages,
 * texts and test names. `unclean-prose.txt` lists files that it skips. The list may only shrink: a
 * file without findings must leave it.
 */
const root = process.argv[2] ?? packageRoot();

const readers: readonly (readonly [string[], (text: string) => Passage[]])[] = [
  [['{src,connectors,bench,tools,scripts,bin}/**/*.{ts,tsx,js}'], commentsOf],
  [['test/**/*.{ts,tsx}'], (text) => [...commentsOf(text), ...testNamesOf(text)]],
  [['{src,connectors}/**/*.en.json'], textsOf],
  [['*.md', '{docs,connectors,clients}/**/*.md'], sentencesOf],
];

const readList = async (): Promise<string[]> =>
  (await readFile(path.join(root, 'tools/unclean-prose.txt'), 'utf8')).split('\n').filter(Boolean);

async function findings(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [patterns, read] of readers)
    for await (const file of glob(patterns, {
      cwd: root,
      exclude: ['**/node_modules/**', 'docs/site/pages/**'],
    })) {
      const text = await readFile(path.join(root, file), 'utf8');
      const faults = read(text).flatMap((one) =>
        proseFaults(one).map((fault) => `${file}:${one.line}: ${one.kind} ${fault}`),
      );
      if (faults.length > 0) found.set(file, faults);
    }
  return found;
}

const found = await findings();
const unclean = new Set(await readList());
const faults = [
  ...[...found].flatMap(([file, own]) => (unclean.has(file) ? [] : own)),
  ...[...unclean]
    .filter((file) => !found.has(file))
    .map((file) => `${file}: has no findings, take it off tools/unclean-prose.txt`),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
