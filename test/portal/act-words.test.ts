import { expect, test } from 'vitest';
import { actName } from '../../src/portal/acts/labels.ts';
import { typesOfCode } from './types-of-code.ts';

test('has a name in both languages for each act that the code records', async () => {
  const types = await typesOfCode();
  expect(types.size).toBeGreaterThan(150);
  for (const lang of ['es', 'en'] as const) {
    expect([...types].filter((type) => actName(lang, type) === type)).toEqual([]);
  }
});
