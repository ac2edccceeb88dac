import type { Queryable, Transaction } from '../connect.ts';
import { hasExtension, isMisplaced, isPlaced, readLayout, type TablePlace } from './layout.ts';

const accountsFirst = (a: TablePlace, b: TablePlace): number =>
  Number(b.table === 'accounts') - Number(a.table === 'accounts');

/**
 * Drops triggers, which distributed tables cannot have. Ours serve processes of the previous
 * release, none of which is connected.
 */
async function dropTriggers(tx: Queryable, table: string): Promise<void> {
  const triggers = await tx<{ name: string }[]>`
    select tgname as name from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal`;
  for (const { name } of triggers) await tx`drop trigger ${tx(name)} on ${tx(table)}`;
}

async function placeTable(tx: Queryable, { table, expected }: TablePlace): Promise<void> {
  if (expected.kind === 'everywhere') await tx`select create_reference_table(${table}::regclass)`;
  if (expected.kind !== 'sharded') return;
  await dropTriggers(tx, table);
  const beside = table === 'accounts' ? 'none' : 'accounts';
  await tx`
    select create_distributed_table(${table}::regclass, ${expected.by}, colocate_with => ${beside})`;
}

/**
 * Repeats a table's grants and revocations, which reach every shard. New shards would otherwise
 * grant their owner every privilege, even revoked ones.
 */
async function sayRightsAgain(tx: Queryable, table: string): Promise<void> {
  const rights = await tx<{ statement: string }[]>`
    with relation as (
      select c.oid, c.relname, c.relowner, coalesce(c.relacl, acldefault('r', c.relowner)) as acl
      from pg_class c where c.oid = ${table}::regclass
    ),
    owned as (
      select r.relname, r.relowner, e.privilege_type, null::name as column
      from relation r, aclexplode(r.acl) e where e.grantee = r.relowner
      union all
      select r.relname, r.relowner, e.privilege_type, a.attname
      from relation r
      join pg_attribute a on a.attrelid = r.oid and a.attacl is not null and not a.attisdropped,
        aclexplode(a.attacl) e
      where e.grantee = r.relowner
    )
    select format('revoke all on %I from %s', relname, relowner::regrole) as statement from relation
    union all
    select format('grant %s%s on %I to %s', privilege_type,
      ' (' || quote_ident(owned.column) || ')', relname, relowner::regrole)
    from owned`;
  for (const { statement } of rights) await tx.unsafe(statement);
}

/**
 * Distributes every table that is on the coordinator but belongs elsewhere, in the caller's
 * transaction as the owner. Returns their names.
 */
export async function placeTables(tx: Transaction): Promise<string[]> {
  const layout = await readLayout(tx);
  const astray = layout.filter((one) => !isPlaced(one)).sort(accountsFirst);
  const stuck = astray.filter(isMisplaced).map(({ table }) => table);
  if (stuck.length > 0) {
    throw new Error(
      `${stuck.join(', ')} were distributed by another rule than that of this release. Undo it ` +
        'first: `select undistribute_table(…)` for each.',
    );
  }
  for (const one of astray) {
    await placeTable(tx, one);
    await sayRightsAgain(tx, one.table);
  }
  return astray.map(({ table }) => table);
}

/** Distributes a migration's new tables. Does nothing on a single server. */
export async function placeNewTables(tx: Transaction): Promise<void> {
  if (!(await hasExtension(tx))) return;
  const layout = await readLayout(tx);
  const isDistributed = layout.some(
    ({ table, actual }) => table === 'accounts' && actual.kind === 'sharded',
  );
  if (isDistributed) await placeTables(tx);
}
