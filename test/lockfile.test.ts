import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

interface Locked {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

/** npm omits from the lock the platform packages that a registry lacks, and `npm ci` then fails. */
test('locks every platform package, so that npm ci works on each platform', async () => {
  const text = await readFile(path.join(packageRoot(), 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  const names = new Set(Object.keys(packages).map((key) => key.split('node_modules/').at(-1)));
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  );
  expect(missing).toEqual([]);
});
