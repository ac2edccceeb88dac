import { withAdvisoryLock } from './advisory-lock.ts';
import type { Queryable, Sql } from './connect.ts';
import { migrationsLock, pending } from './migrate.ts';

/** A statement that removes a difference between a role's actual and expected rights. */
interface Difference {
  statement: string;
}

/**
 * Compares a role's rights with the expected ones. The serving role has the owner's remaining
 * privileges on each table and sequence, thus none that migrations revoked (changing journals,
 * seals, events). It may only read the table of migrations.
 */
const differences = (sql: Queryable, role: string) => sql<Difference[]>`
  with relation as (
    select oid, relname, relkind, relowner, relname = 'migrations' as is_list,
      coalesce(relacl,
        acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)) as acl
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S')
  ),
  held as (
    select relname, relkind, is_list, relowner, null::name as attname, acl from relation
    union all
    select relname, relkind, is_list, relowner, a.attname, a.attacl
    from relation join pg_attribute a on a.attrelid = relation.oid
    where a.attacl is not null and a.attnum > 0 and not a.attisdropped
  ),
  wanted as (
    select relname, attname, privilege_type from held, aclexplode(acl) as entry
    where entry.grantee = relowner and privilege_type = any(case
      when is_list then array['SELECT']
      when relkind = 'S' then array['SELECT', 'USAGE']
      else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end)
  ),
  given as (
    select relname, attname, privilege_type from held, aclexplode(acl) as entry
    where entry.grantee = ${role}::text::regrole
  ),
  both_sides as (
    select coalesce(w.relname, g.relname) as relname, coalesce(w.attname, g.attname) as attname,
      coalesce(w.privilege_type, g.privilege_type) as privilege, w.relname is not null as grants
    from wanted w full join given g
      on g.relname = w.relname and g.privilege_type = w.privilege_type
        and coalesce(g.attname, '') = coalesce(w.attname, '')
    where w.relname is null or g.relname is null
  )
  select case when grants then 'grant ' else 'revoke ' end || privilege
    || coalesce(' (' || quote_ident(attname) || ')', '') || format(' on %s %I.%I %s %s',
      case relkind when 'S' then 'sequence' else 'table' end, current_schema(), relname,
      case when grants then 'to' else 'from' end, ${role}::text::regrole) as statement
  from both_sides join relation using (relname)
  order by grants, statement`;

/**
 * Grants the serving role its privileges on the owner's tables, and revokes all others. Requires
 * the migrations lock.
 */
export async function shareTables(owner: Queryable, role: string): Promise<void> {
  const [own] = await owner<{ same: boolean; usage: boolean }[]>`
    select current_user = ${role}::text as same,
      has_schema_privilege(${role}::text, current_schema(), 'USAGE') as usage`;
  if (own?.same) return;
  if (own?.usage === false) {
    const [grant] = await owner<Difference[]>`
      select format('grant usage on schema %I to %s', current_schema(),
        ${role}::text::regrole) as statement`;
    if (grant) await owner.unsafe(grant.statement);
  }
  for (const { statement } of await differences(owner, role)) await owner.unsafe(statement);
}

/** Shares the tables under the migrations lock, even with no pending migration. */
export const shareWith = (owner: Sql, role: string): Promise<void> =>
  withAdvisoryLock(owner, migrationsLock, { mode: 'exclusive', wait: true }, (transaction) =>
    shareTables(transaction, role),
  );

/** A role's relation to the tables: owner (or superuser) or guest. */
export interface Standing {
  role: string;
  /** True if it may create and change tables, and grant itself every right. */
  owns: boolean;
}

export async function standingOf(sql: Queryable): Promise<Standing> {
  const [row] = await sql<Standing[]>`
    select current_user as role, coalesce(
      (select rolsuper from pg_roles where rolname = current_user)
        or (select pg_has_role(current_user, relowner, 'MEMBER') from pg_class
          where oid = to_regclass('migrations')),
      has_schema_privilege(current_schema(), 'CREATE')) as owns`;
  if (!row) throw new Error('a query without a row');
  return row;
}

/** Refuses to serve on an older schema as a role that cannot migrate it. */
export async function refuseOlderSchema(
  sql: Queryable,
  directory: string,
  role: string,
): Promise<void> {
  const missing = await pending(sql, directory);
  if (missing.length === 0) return;
  throw new Error(
    `The database lacks ${missing.length} migrations of this release, and the role ${role} does ` +
      'not own its tables: set DATABASE_OWNER_URL to the address of the role that does, and run ' +
      '`recaudo migrate`.',
  );
}
