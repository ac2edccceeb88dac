import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorBooks } from '../../src/accounts/index.ts';
import { auditChecks, auditIn, evidences } from '../../src/audit/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { digestOf, rowsOf } from '../../src/seals/evidence.ts';
import { exemptColumns, exemptTables } from '../../tools/audited-columns.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playEverything } from './everything.ts';

/** Conditions on rows whose removal matters: a zero balance carries no information. */
const telling: Record<string, string> = { balances: 'amount <> 0' };

/**
 * Tables without a delete privilege for the service's role, whose missing rows the audit cannot
 * notice.
 */
const undeletable = ['card_holds', 'charge_references', 'network_charges', 'unwanted_approvals'];

let service: TestService;
let superuser: Sql;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  await playEverything(service);
  superuser = connectSuperuser(service.databaseUrl);
  looks = looksOf();
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const faultsIn = async (sql: Sql): Promise<string[]> => {
  const { keys } = service.service.parts.sealer;
  const faults = [];
  for (const account of [testAccount, operatorBooks]) {
    faults.push(...(await auditIn(sql, account, { keys })));
  }
  return faults.map(({ what }) => what);
};

type Look = (sql: Sql) => Promise<string[]>;

/** Returns the audit's checks of both accounts. */
function looksOf(): Look[] {
  const { keys } = service.service.parts.sealer;
  return [testAccount, operatorBooks].flatMap((account) =>
    auditChecks({ keys }).map(
      (check): Look =>
        (sql) =>
          check(sql, account),
    ),
  );
}
let looks: Look[] = [];

/**
 * Returns true if any check of the audit finds a fault. Runs the check that found the last one
 * first, because adjacent columns mostly fail the same check.
 */
async function isNoticed(sql: Sql): Promise<boolean> {
  for (const look of looks) {
    if ((await look(sql)).length === 0) continue;
    looks = [look, ...looks.filter((other) => other !== look)];
    return true;
  }
  return false;
}

type Outcome = 'noticed' | 'silent' | 'no row';

/**
 * Applies each statement to a table separately and undoes it before the next. Locks the table
 * first: a row that the service updated in between would move, and the statement would miss it.
 */
async function outcomesOf(table: string, statements: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const undone = new Error('undone');
  await superuser
    .begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in exclusive mode`);
      const constraints = await tx<{ name: string }[]>`
        select conname as name from pg_constraint
        where conrelid = ${table}::text::regclass and contype in ('c', 'p', 'u')`;
      for (const { name } of constraints) {
        await tx.unsafe(`alter table ${table} drop constraint ${name} cascade`);
      }
      await tx.unsafe('savepoint unchanged');
      for (const statement of statements) {
        const { count } = await tx.unsafe(statement);
        const isFound = count > 0 && (await isNoticed(tx as unknown as Sql));
        outcomes.push(count === 0 ? 'no row' : isFound ? 'noticed' : 'silent');
        await tx.unsafe('rollback to savepoint unchanged');
      }
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw new Error(`${table}: ${String(error)}`, { cause: error });
    });
  return outcomes;
}

/** Returns SQL for a different value of the same type. */
function otherThan(column: string, type: string): string {
  if (type.endsWith('[]')) return `array_append(${column}, ${column}[1])`;
  if (type === 'boolean') return `not coalesce(${column}, false)`;
  if (type === 'date') return `coalesce(${column}, '2026-01-01') + 1`;
  if (type.startsWith('timestamp')) return `coalesce(${column}, '2026-01-01') + interval '1 day'`;
  if (type.startsWith('json')) return `'{"other": 1}'`;
  if (type === 'bytea') return `sha256(coalesce(${column}, ''))`;
  if (type === 'text') return `left(coalesce(${column}, ''), 7) || 'Z'`;
  return `coalesce(${column}, 0) + ${type === 'bigint' ? 1_000_003 : 7}`;
}

interface Column {
  table: string;
  column: string;
  type: string;
}

const columnsOfAll = (): Promise<Column[]> => superuser<Column[]>`
  select r.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
  from pg_class r join pg_attribute a on a.attrelid = r.oid
  where r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped and r.relname <> all(${Object.keys(exemptTables)}::text[])
  order by 1, 2`;

test('finds no fault before any change', async () => {
  expect(await faultsIn(superuser)).toEqual([]);
});

test('lists only existing columns as exempt', async () => {
  const [row] = await superuser<{ tables: string[]; columns: string[] }[]>`
    select array(select relname::text from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p')) as tables,
      array(select table_name || '.' || column_name from information_schema.columns
        where table_schema = 'public') as columns`;
  expect(row?.tables).toEqual(expect.arrayContaining(Object.keys(exemptTables)));
  expect(row?.columns).toEqual(expect.arrayContaining(Object.keys(exemptColumns)));
});

/** Returns the columns that are not exempt, by table. */
async function columnsByTable(): Promise<Map<string, Column[]>> {
  const meaningful = (await columnsOfAll()).filter(
    ({ table, column }) => exemptColumns[`${table}.${column}`] === undefined,
  );
  return Map.groupBy(meaningful, ({ table }) => table);
}

test('notices a change of every column that is not exempt, in a single row', async () => {
  const missed: string[] = [];
  for (const [table, columns] of await columnsByTable()) {
    const changes = columns.map(
      ({ column, type }) => `
        update ${table} set ${column} = ${otherThan(column, type)} where ctid = (
          select ctid from ${table} where ${telling[table] ?? 'true'}
          order by ${column} is null, ctid limit 1)`,
    );
    const outcomes = await outcomesOf(table, changes);
    for (const [index, { column }] of columns.entries()) {
      if (outcomes[index] !== 'noticed') missed.push(`${table}.${column}: ${outcomes[index]}`);
    }
  }
  expect(missed).toEqual([]);
}, 300_000);

test('detects every removed row', async () => {
  const missed: string[] = [];
  for (const table of new Set((await columnsOfAll()).map((one) => one.table))) {
    if (undeletable.includes(table)) continue;
    const first = `delete from ${table} where ctid = (
      select min(ctid) from ${table} where ${telling[table] ?? 'true'})`;
    const [outcome] = await outcomesOf(table, [first]);
    if (outcome !== 'noticed') missed.push(`${table}: ${outcome}`);
  }
  expect(missed).toEqual([]);
}, 60_000);

test.each(undeletable)('forbids the service to delete from %s', async (table) => {
  await expect(service.sql.unsafe(`delete from ${table}`)).rejects.toThrow('permission denied');
});

/** Tables that cannot be recomputed, and the columns in their digests. */
const rewritten = [
  ['event', 'events', 'data', `update events set data = '{"other": 1}' where id = $1`],
  ['event', 'events', 'actor', `update events set actor = 'somebody else' where id = $1`],
  ['result', 'results', 'label', `update results set channel_label = 'Otra' where id = $1`],
] as const;

test.each(rewritten)(
  'names a changed %s (%s, %s) even if digests and links are rewritten without the key',
  async (kind, table, _column, change) => {
    const evidence = evidences.find((one) => one.kind === kind);
    if (!evidence) throw new Error(`nothing seals ${kind}`);
    const undone = new Error('undone');
    let faults: string[] = [];
    await superuser
      .begin(async (tx) => {
        const sql = tx as unknown as Sql;
        const [row] = await tx<{ id: string }[]>`
          select min(id)::text as id from ${tx(table)} where account_id = ${testAccount}`;
        await tx.unsafe(change, [row?.id ?? '']);
        // As an attacker would who knows how digests are computed, but has no key.
        await tx`
          update seals s set digests = (
            select array_agg(coalesce(${digestOf(sql, sql`''::bytea`)}, digest) order by no)
            from unnest(s.keys, s.digests) with ordinality as member (member_key, digest, no)
            left join (${rowsOf(sql, evidence, [testAccount])}) as r on r.key = member_key)
          where account_id = ${testAccount} and kind = ${kind}`;
        await tx`
          update seal_links l set hash = sha256(convert_to(s.digests::text, 'UTF8'))
          from seals s where s.account_id = l.account_id and s.no = l.no
            and l.account_id = ${testAccount} and s.kind = ${kind}`;
        faults = await faultsIn(sql);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    expect(faults).toContainEqual(expect.stringMatching(/^seal \d+ does not match its chain$/));
    expect(faults).toContainEqual(
      expect.stringMatching(new RegExp(`^${kind} .* differs from its seal`)),
    );
  },
);
