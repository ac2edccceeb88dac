import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

const folder = path.join(packageRoot(), 'bench/references');

/** Returns the imports of a file, including types, as paths from the root. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(path.join(folder, file), 'utf8');
  const named = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*'([^']+)'/g)];
  return named.map(([, name = '']) =>
    name.startsWith('.')
      ? path.relative(packageRoot(), path.resolve(folder, path.dirname(file), name))
      : name,
  );
}

test('keeps the benchmark’s references free of the service’s code', async () => {
  const allowed = /^(node:.*|bench\/references\/.*|fastify|pg|undici)$/;
  const others: string[] = [];
  let files = 0;
  for await (const file of glob('**/*.ts', { cwd: folder })) {
    files += 1;
    for (const name of await importsOf(file)) {
      if (!allowed.test(name)) others.push(`${file} imports ${name}`);
    }
  }
  expect(others).toEqual([]);
  expect(files).toBeGreaterThan(8);
});
