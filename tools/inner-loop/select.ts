import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The tests that guard each folder. For a file, the entry of its nearest ancestor applies. */
export type TestMap = Readonly<Record<string, readonly string[]>>;

export const readMap = (root: string): TestMap =>
  JSON.parse(readFileSync(path.join(root, 'tools/inner-loop/map.json'), 'utf8'));

/** Quick repository-wide checks, which any change can break. */
export const always = ['test/rules.test.ts', 'test/owners.test.ts'];

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** Returns the nearest map entry at or above a file, or null. */
export function entryOf(map: TestMap, file: string): string | null {
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
    if (map[folder]) return folder;
  }
  return null;
}

/** Returns the relative imports of a file's text, as paths from the root. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from |import |import\()'(\.{1,2}\/[^']+)'/g)].map(([, to = '']) =>
    path.posix.join(path.posix.dirname(file), to),
  );
}

/** Returns test files whose imports reach `changed`, among the files in `test/`. */
export function testsThatImport(
  changed: string,
  files: readonly string[],
  textOf: (file: string) => string,
): string[] {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const to of importsOf(file, textOf(file))) {
      importers.set(to, [...(importers.get(to) ?? []), file]);
    }
  }
  const reached = new Set<string>();
  const waiting = [changed];
  for (const file of waiting) {
    for (const importer of importers.get(file) ?? []) {
      if (reached.has(importer)) continue;
      reached.add(importer);
      waiting.push(importer);
    }
  }
  return [...reached].filter(isTest);
}

export interface Selected {
  /** Test files and folders, with the changes that select each. */
  tests: Map<string, string[]>;
  /** Changes without an entry. */
  unknown: string[];
}

interface Tree {
  map: TestMap;
  /** Files in `test/`. */
  testFiles: readonly string[];
  textOf(file: string): string;
}

function testsFor(file: string, { map, testFiles, textOf }: Tree): readonly string[] | null {
  if (isTest(file)) return testFiles.includes(file) ? [file] : [];
  if (file.startsWith('test/')) return testsThatImport(file, testFiles, textOf);
  const entry = entryOf(map, file);
  return entry === null ? null : (map[entry] ?? null);
}

/** Selects the tests that changed files can affect, with the reason for each. */
export function select(changed: readonly string[], tree: Tree): Selected {
  const tests = new Map<string, string[]>();
  const unknown: string[] = [];
  for (const file of changed) {
    const found = testsFor(file, tree);
    if (found === null) unknown.push(file);
    for (const test of found ?? []) tests.set(test, [...(tests.get(test) ?? []), file]);
  }
  return { tests, unknown };
}
