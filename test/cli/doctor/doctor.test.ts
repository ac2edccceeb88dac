import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { misspelled } from '../../../src/cli/doctor/misspelled.ts';
import { variables } from '../../../src/config/index.ts';
import { type Desk, openDesk } from './desk.ts';
import { apply, inDatabase } from './in-database.ts';
import { type Expected, inEnvironment } from './in-environment.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

const rowsOf = (expected: readonly Expected[]): Record<string, Finding> =>
  Object.fromEntries(expected.map(([what, state, found, todo]) => [what, { state, found, todo }]));

test('reports only durability and the public address in a sound test deployment', async () => {
  const usual = await desk.doctor();
  expect(Object.keys(usual).toSorted()).toEqual(['durability', 'public address']);
});

test('plants at least 60 mistakes', () => {
  expect(inEnvironment.length + inDatabase.length).toBeGreaterThanOrEqual(60);
});

test.each(inEnvironment)('reports %s, and nothing else', async (_mistake, plant, find) => {
  const env = await plant(desk);
  expect(await desk.doctor(env)).toEqual(rowsOf(find(desk)));
});

test.each(inDatabase)('reports $mistake, and nothing else', async (planted) => {
  const { change, undo, env, find } = planted;
  await apply(desk, change?.(desk) ?? []);
  try {
    const { migrations, ...found } = await desk.doctor(env?.(desk) ?? {});
    const expected = rowsOf(find(desk));
    const isOld = expected.migrations !== undefined;
    expect(isOld ? { migrations, ...found } : found).toEqual(expected);
  } finally {
    await apply(desk, undo?.(desk) ?? []);
  }
});

test('reports a limit of open files that is too low for MAX_CONNECTIONS', async () => {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const [, most = ''] = /^Max open files +\d+ +(\d+)/m.exec(limits) ?? [];
  const found = await desk.doctor({ MAX_CONNECTIONS: '1000000' });
  expect(found).toEqual({
    'open files': {
      state: 'look',
      found: `${most} for 1000000 connections of callers: calls fail long before that limit`,
      todo: 'Raise the limit (LimitNOFILE, ulimit -n) to 1000272, or lower MAX_CONNECTIONS.',
    },
  });
});

test('does not mistake other programs’ variables for misspelled ones', () => {
  const others = [
    'HOSTNAME',
    'DATABASE',
    'PGPASSWORD',
    'NODE_OPTIONS',
    'LOG_FORMAT',
    'KUBERNETES_PORT',
  ];
  expect(misspelled([...others, ...Object.keys(variables)])).toEqual([]);
});
