import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { personalColumnsTable } from '../../tools/personal-columns.ts';

const schema = readFileSync(`${packageRoot()}/docs/reference/schema.sql`, 'utf8');

test('documents for every text column whether an erasure reaches it', () => {
  const page = readFileSync(`${packageRoot()}/docs/reference/personal-columns.md`, 'utf8');
  expect(page).toContain(personalColumnsTable(schema));
});

test('fails for a new text column that is not classified, and for one that is gone', () => {
  const withNickname = schema.replace('table refunds\n', 'table refunds\n  nickname text\n');
  expect(() => personalColumnsTable(withNickname)).toThrow('not classified: refunds.nickname');
  const without = schema.replace(/^ {2}cbu text\n(?= {2}held)/m, '');
  expect(() => personalColumnsTable(without)).toThrow('unknown or twice: refunds.cbu');
});
