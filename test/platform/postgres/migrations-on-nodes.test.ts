import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { maskOf } from '../../../src/platform/postgres/by-parts/parts.ts';

/**
 * Checks that migrations avoid statements that a distributed database refuses
 * (docs/explanation/scaling.md).
 */

const folder = path.join(packageRoot(), 'migrations');
const constrains = /\b(?:check|unique|references|primary\s+key|exclude|add\s+constraint)\b/i;

/** Counts commas outside of brackets. */
const commas = (text: string): number => {
  let plain = text;
  while (/\([^()]*\)/.test(plain)) plain = plain.replace(/\([^()]*\)/g, '');
  return plain.split(',').length - 1;
};

const refusals: { what: string; is: (statement: string) => boolean }[] = [
  {
    what: 'adds a constraint beside something else in one alter table',
    is: (text) => /^alter\s+table\b/i.test(text) && constrains.test(text) && commas(text) > 0,
  },
  {
    what: 'adds a column with a constraint: a statement for the column and one for the constraint',
    is: (text) =>
      /^alter\s+table\b/i.test(text) && /\badd\s+column\b/i.test(text) && constrains.test(text),
  },
  {
    what: 'changes account_id',
    is: (text) =>
      /^update\b/i.test(text) &&
      /\bset\b[^;]*\baccount_id\s*=[^=]*(?:,|from|where|$)/i.test(
        text.split(/\bwhere\b/i)[0] ?? '',
      ),
  },
  {
    what: 'drops several in one statement',
    is: (text) => /^drop\b/i.test(text) && commas(text) > 0,
  },
  { what: 'finds rows by ctid', is: (text) => /\bctid\b/i.test(text) },
  { what: 'makes an index concurrently', is: (text) => /\bindex\s+concurrently\b/i.test(text) },
];

/** Lists a migration's statements that a distributed database refuses. */
function refusedIn(sql: string): string[] {
  // A migration does not execute the bodies of functions.
  const plain = maskOf(sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, ''));
  const statements = plain.split(';').map((text) => text.trim());
  return statements.flatMap((text) =>
    refusals.filter(({ is }) => is(text)).map(({ what }) => `${what}: ${text.slice(0, 80)}`),
  );
}

describe('a migration on a distributed database', () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

  test.each(files)('has no statement in %s that nodes refuse', (name) => {
    expect(refusedIn(readFileSync(path.join(folder, name), 'utf8'))).toEqual([]);
  });

  test.each([
    ["alter table mails add column s text check (s in ('a', 'b'))", 1],
    ['alter table t add column a int, add constraint c check (a > 0)', 2],
    ['alter table t add constraint a check (x > 0), add constraint b check (y > 0)', 1],
    ["update requests set account_id = 'A' where id = 1", 1],
    ['drop index one, other', 1],
    ['delete from t where ctid = any(array[1])', 1],
    ['create index concurrently i on t (a)', 1],
  ])('refuses %s', (statement, count) => {
    expect(refusedIn(statement)).toHaveLength(count);
  });

  test.each([
    'alter table t add column a int, add column b text not null default 0',
    'alter table t add constraint c check (a in (1, 2))',
    "update t set state = 'x' where account_id = 'A'",
    '-- add column a int check (true), ctid\ncreate index i on t (a, b)',
    'create function f() returns int as $$ select ctid from t $$ language sql',
  ])('accepts %s', (statement) => {
    expect(refusedIn(statement)).toEqual([]);
  });
});
