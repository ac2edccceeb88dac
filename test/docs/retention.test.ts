import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { retentionTable } from '../../tools/retention.ts';

const schema = readFileSync(`${packageRoot()}/docs/reference/schema.sql`, 'utf8');
const tables = [...schema.matchAll(/^table (\w+)/gm)].flatMap(([, name]) => name ?? []);

test('documents an age for every table of the schema', () => {
  const page = readFileSync(`${packageRoot()}/docs/reference/retention.md`, 'utf8');
  expect(page).toContain(retentionTable(tables));
});

test('fails for a new table without an age, and for an age without a table', () => {
  expect(() => retentionTable([...tables, 'payers'])).toThrow('without an age: payers');
  expect(() => retentionTable(tables.slice(1))).toThrow(`not in the schema: ${tables[0]}`);
});
