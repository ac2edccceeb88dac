import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { asvs } from '../../tools/asvs.ts';

const rows = asvs.flatMap(({ rows: ofChapter }) => ofChapter);

/** Returns the code of a test file, with that of modules beside it that may declare its tests. */
async function codeOf(file: string): Promise<string> {
  const name = path.join(packageRoot(), `test/${file}.test.ts`);
  const code = await readFile(name, 'utf8');
  const beside = [...code.matchAll(/from '(\.\/[^']+)'/g)].map(([, one = '']) =>
    readFile(path.join(path.dirname(name), one), 'utf8'),
  );
  return [code, ...(await Promise.all(beside))].join('\n');
}

test('lists each requirement once', () => {
  const ids = rows.map(([id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(rows)(
  'finds the tests that prove requirement %s, or a reason why it is open',
  async (_id, _asks, proof) => {
    if (typeof proof === 'string' || 'absent' in proof) {
      const reason = typeof proof === 'string' ? proof : proof.absent;
      expect(reason.length).toBeGreaterThan(20);
      return;
    }
    expect(proof.length).toBeGreaterThan(0);
    for (const [file, name] of proof) {
      expect(name, file).not.toBe('');
      expect(await codeOf(file), `${file}: ${name}`).toContain(name);
    }
  },
);
