import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { asvs } from '../../tools/asvs.ts';

const rows = asvs.flatMap(({ rows: ofChapter }) => ofChapter);

test('lists each requirement once', () => {
  const ids = rows.map(([id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(rows)(
  '%s names existing tests, or the reason why it is open',
  async (_id, _asks, proof) => {
    if (typeof proof === 'string' || 'absent' in proof) {
      const reason = typeof proof === 'string' ? proof : proof.absent;
      expect(reason.length).toBeGreaterThan(20);
      return;
    }
    expect(proof.length).toBeGreaterThan(0);
    for (const [file, name] of proof) {
      const code = await readFile(path.join(packageRoot(), `test/${file}.test.ts`), 'utf8');
      expect(code, `${file}: ${name}`).toContain(name);
    }
  },
);
