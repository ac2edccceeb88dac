import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { batchesOf, guards, planted, readFaults, withFaults } from '../../tools/mutants/faults.ts';
import { failuresIn } from '../../tools/mutants/run.ts';
import { changesIn, sampleFaults } from '../../tools/mutants/sample.ts';

const root = packageRoot();
const faults = await readFaults(root);
const [first] = faults;
if (first === undefined) throw new Error('there are no faults');

test.each(faults)('finds exactly one place in the code for $id, and guards that exist', (fault) => {
  expect(planted(readFileSync(path.join(root, fault.file), 'utf8'), fault)).not.toBeNull();
  expect(fault.after).not.toBe(fault.before);
  expect(fault.guards.filter((guard) => !existsSync(path.join(root, guard)))).toEqual([]);
  expect(fault.hurts).toMatch(/\.$/);
});

test('gives each fault a unique name', () => {
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
});

test('refuses to plant a fault whose place is missing or ambiguous', () => {
  const fault = { ...first, before: 'a < b', after: 'a <= b' };
  expect(planted('if (a < b) return;', fault)).toBe('if (a <= b) return;');
  expect(planted('if (a > b) return;', fault)).toBeNull();
  expect(planted('a < b || a < b', fault)).toBeNull();
});

test('plants faults of one file together, and removes them all, even after a failure', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-mutants-'));
  const file = path.join(folder, 'src/one.ts');
  await mkdir(path.dirname(file));
  await writeFile(file, 'one two');
  const at = { ...first, file: 'src/one.ts' };
  const both = [
    { ...at, before: 'one', after: '1' },
    { ...at, before: 'two', after: '2' },
  ];
  try {
    const read = () => readFile(file, 'utf8');
    expect(await withFaults(folder, both, read)).toBe('1 2');
    expect(await read()).toBe('one two');
    const failing = withFaults(folder, both, () => Promise.reject(new Error('broke off')));
    await expect(failing).rejects.toThrow('broke off');
    const gone = withFaults(folder, [...both, { ...at, before: 'three' }], read);
    await expect(gone).rejects.toThrow('no single place');
    expect(await read()).toBe('one two');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('puts each fault in exactly one batch, and gives the faults of a batch different guards', () => {
  const batches = batchesOf(faults, 12);
  expect(batches.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    faults.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(12);
    for (const fault of batch) {
      const others = batch.filter((other) => other !== fault).flatMap((other) => other.guards);
      expect(others.filter((guard) => guards(fault, guard))).toEqual([]);
    }
  }
});

test('lists failed tests before files that failed outside of a test', () => {
  const result = { name: '/tree/test/a.test.ts', message: '' };
  const passed = { status: 'passed', fullName: 'adds', failureMessages: [] };
  const failed = { status: 'failed', fullName: 'rounds', failureMessages: ['expected 1\nat a.ts'] };
  const report = {
    testResults: [
      { ...result, name: '/tree/test/b.test.ts', status: 'failed', assertionResults: [] },
      { ...result, status: 'failed', assertionResults: [passed, failed] },
    ],
  };
  expect(failuresIn(report, '/tree')).toEqual([
    { file: 'test/a.test.ts', test: 'rounds', message: 'expected 1' },
    { file: 'test/b.test.ts', test: '(outside a test)', message: '' },
  ]);
});

test('finds plausible mistakes in code and SQL, but not in types and assertions', async () => {
  const code = `// é
type Flag = true | 'a < b';
if (a < b && !done) await pay(sql\`update t set x = 1 where é > 2 and y = 3\`);
const kind = isOpen ? 'open' : 'closed';
if (count < 1) throw new Error('an id block ran short');`;
  const bytes = Buffer.from(code);
  const found = (await changesIn(code)).map(
    ({ start, end, text }) => `${bytes.toString('utf8', start, end)} → ${text}`,
  );
  expect(found.toSorted()).toEqual(
    [
      'a < b && !done → true',
      'a < b && !done → false',
      '&& → ||',
      '< → <=',
      '!done → done',
      'await pay(sql`update t set x = 1 where é > 2 and y = 3`); → ;',
      '> → >=',
      'and → or',
      'isOpen → true',
      'isOpen → false',
    ].toSorted(),
  );
});

test('draws the same faults for the same seed, each at its place and guarded', async () => {
  const drawn = await sampleFaults(root, 40, 7);
  expect(await sampleFaults(root, 20, 7)).toEqual(drawn.slice(0, 20));
  expect(await sampleFaults(root, 40, 8)).not.toEqual(drawn);
  for (const fault of drawn) {
    const code = readFileSync(path.join(root, fault.file), 'utf8');
    expect(planted(code, fault), fault.id).not.toBeNull();
    expect(fault.guards.filter((guard) => existsSync(path.join(root, guard)))).not.toEqual([]);
  }
});
