import { expect, test } from 'vitest';
import { actName } from '../../src/portal/acts/labels.ts';
import { typesOfCode } from './types-of-code.ts';

test('names each act of the code in the audit log, in both languages', async () => {
  const types = await typesOfCode();
  expect(types.size).toBeGreaterThan(150);
  for (const lang of ['es', 'en'] as const) {
    expect([...types].filter((type) => actName(lang, type) === type)).toEqual([]);
  }
});
