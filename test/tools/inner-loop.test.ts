import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { always, entryOf, readMap, select } from '../../tools/inner-loop/select.ts';

const root = packageRoot();
const map = readMap(root);

const foldersIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

const testsIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);

test('names only existing folders and tests in the map', () => {
  const names = [...Object.entries(map).flat(2), ...always];
  expect(names.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  expect(Object.entries(map).filter(([, tests]) => tests.length === 0)).toEqual([]);
});

test('has an entry in the map for every folder of the program', () => {
  const folders = [
    ...foldersIn('src'),
    ...foldersIn('connectors'),
    ...['src/money', 'src/portal'].flatMap(foldersIn),
  ];
  // Each folder needs its own entry, so that its tests are a deliberate choice.
  expect(folders.filter((folder) => map[folder] === undefined)).toEqual([]);
  for (const name of ['bin', 'tools', 'scripts', 'bench', 'migrations', 'docs']) {
    expect(map[name], name).toBeDefined();
  }
});

test('selects every test folder for some change, except those for whole runs only', () => {
  const named = [...Object.values(map).flat(), ...always];
  // Long plays of the whole system, for whole runs only.
  const wholeRunsOnly = ['test/histories', 'test/scenarios'];
  const unreached = foldersIn('test')
    .filter((folder) => testsIn(folder).length > 0 && !wholeRunsOnly.includes(folder))
    .filter((folder) => !named.some((one) => one === folder || one.startsWith(`${folder}/`)));
  expect(unreached).toEqual([]);
});

const testFiles = ['test/harness/desk.ts', 'test/qr/pay.test.ts', 'test/qr/wallet.ts'];
const texts: Record<string, string> = {
  'test/qr/pay.test.ts': "import { wallet } from './wallet.ts';",
  'test/qr/wallet.ts': "import { desk } from '../harness/desk.ts';",
};
const tree = {
  map: { 'src/qr': ['test/qr'], 'src/qr/static': ['test/qr/static'] },
  testFiles,
  textOf: (file: string) => texts[file] ?? '',
};
const selected = (...changed: string[]) => [...select(changed, tree).tests.keys()];

test('selects the tests of the nearest folder in the map for a change', () => {
  expect(entryOf(tree.map, 'src/qr/static/pay.ts')).toBe('src/qr/static');
  expect(selected('src/qr/static/pay.ts')).toEqual(['test/qr/static']);
  expect(selected('src/qr/row.ts', 'src/qr/item.ts')).toEqual(['test/qr']);
});

test('selects a changed test itself, and nothing for a removed one', () => {
  expect(selected('test/qr/pay.test.ts', 'test/qr/gone.test.ts')).toEqual(['test/qr/pay.test.ts']);
});

test('selects the tests that import a changed helper, however indirectly', () => {
  expect(selected('test/harness/desk.ts')).toEqual(['test/qr/pay.test.ts']);
});

test('lists each test with the changes that select it, and names unknown changes', () => {
  const { tests, unknown } = select(['src/qr/row.ts', 'src/qr/item.ts', 'LICENSE'], tree);
  expect(tests.get('test/qr')).toEqual(['src/qr/row.ts', 'src/qr/item.ts']);
  expect(unknown).toEqual(['LICENSE']);
});

test('selects a noun’s own folder and few others for a typical change to the noun', () => {
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const whole = { map, testFiles: testsIn('test'), textOf: text };
  const { tests } = select(['src/webhooks/delivery/breaker.ts'], whole);
  expect([...tests.keys()]).toContain('test/webhooks');
  expect(tests.size).toBeLessThan(5);
});
