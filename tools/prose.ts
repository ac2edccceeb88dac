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
 * Checks the mechanical rules of docs/explanation/style.md in comments, pages, texts and test
 * names.
 */
const root = process.argv[2] ?? packageRoot();

const readers: readonly (readonly [string[], (text: string) => Passage[]])[] = [
  [['{src,connectors,bench,tools,scripts,bin,plugins}/**/*.{ts,tsx,js}'], commentsOf],
  [['test/**/*.{ts,tsx}'], (text) => [...commentsOf(text), ...testNamesOf(text)]],
  [['{src,connectors}/**/*.en.json'], textsOf],
  [['*.md', '{docs,connectors,clients,plugins}/**/*.md'], sentencesOf],
];

const faults: string[] = [];
for (const [patterns, read] of readers)
  for await (const file of glob(patterns, {
    cwd: root,
    exclude: ['**/node_modules/**', 'docs/site/pages/**'],
  }))
    for (const one of read(await readFile(path.join(root, file), 'utf8')))
      for (const fault of proseFaults(one))
        faults.push(`${file}:${one.line}: ${one.kind} ${fault}`);

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
