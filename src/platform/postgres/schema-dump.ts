import type { Sql, Transaction } from './connect.ts';

interface Column {
  table: string;
  name: string;
  type: string;
  collation: string | null;
  required: boolean;
  identity: string;
  generated: string;
  default: string | null;
}

/** A part of a table, as the server prints it. */
interface Part {
  table: string;
  text: string;
}

function columnsOf(sql: Transaction, schema: string): Promise<Column[]> {
  return sql<Column[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, a.attidentity::text as identity, a.attgenerated::text as generated,
      pg_get_expr(d.adbin, d.adrelid) as default,
      case when a.attcollation <> t.typcollation then l.collname end as collation
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p')
    order by c.relname collate "C", a.attnum`;
}

/**
 * Reads constraints except NOT NULL (contype n). PostgreSQL 18 lists those too, but the dump writes
 * them with the column.
 */
function constraintsOf(sql: Transaction, schema: string): Promise<Part[]> {
  return sql<Part[]>`
    select r.relname as table,
      format('constraint %I %s', c.conname, pg_get_constraintdef(c.oid)) as text
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where r.relnamespace = ${schema}::regnamespace and r.relkind in ('r', 'p')
      and c.contype <> 'n'
    order by r.relname collate "C", c.conname collate "C"`;
}

/** Reads indexes without a constraint, triggers, and partitions. */
function attachmentsOf(sql: Transaction, schema: string): Promise<Part[]> {
  return sql<Part[]>`
    select r.relname as table, part.text
    from pg_class r cross join lateral (
      select 1 as kind, pg_get_indexdef(i.indexrelid) as text from pg_index i
      where i.indrelid = r.oid
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid
          and c.contype in ('p', 'u', 'x'))
      union all
      select 2, pg_get_triggerdef(t.oid) from pg_trigger t
      where t.tgrelid = r.oid and not t.tgisinternal
      union all
      select 3, format('partition by %s', pg_get_partkeydef(r.oid)) where r.relkind = 'p'
      union all
      select 4, format('partition of %s %s', i.inhparent::regclass,
        pg_get_expr(r.relpartbound, r.oid))
      from pg_inherits i where i.inhrelid = r.oid
    ) as part
    where r.relnamespace = ${schema}::regnamespace and r.relkind in ('r', 'p')
    order by r.relname collate "C", part.kind, part.text collate "C"`;
}

/**
 * Reads rights that the owner lost or has on single columns, and rights of the public. Grants to
 * single roles are the operator's. Without an entry, the owner may do everything.
 */
function privilegesOf(sql: Transaction, schema: string): Promise<Part[]> {
  return sql<Part[]>`
    select r.relname as table, said.text
    from pg_class r cross join lateral (
      select 'revoke ' || string_agg(lower(usual.privilege_type), ', '
        order by usual.privilege_type) || ' from owner' as text
      from aclexplode(acldefault('r', r.relowner)) usual
      where not exists (select from aclexplode(r.relacl) kept
        where kept.grantee = r.relowner and kept.privilege_type = usual.privilege_type)
      having count(*) > 0
      union all
      select 'grant ' || string_agg(lower(given.privilege_type), ', '
        order by given.privilege_type) || ' to public'
      from aclexplode(r.relacl) given where given.grantee = 0
      having count(*) > 0
      union all
      select 'grant ' || lower(given.privilege_type) || ' (' || string_agg(a.attname, ', '
        order by a.attname) || ') to owner'
      from pg_attribute a cross join aclexplode(a.attacl) given
      where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
        and given.grantee = r.relowner
      group by given.privilege_type
    ) as said
    where r.relnamespace = ${schema}::regnamespace and r.relkind in ('r', 'p')
      and r.relacl is not null
    order by r.relname collate "C", said.text collate "C"`;
}

async function standAlone(sql: Transaction, schema: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select text from (
      select 1 as kind, c.relname as name, format('sequence %I as %s increment %s start %s '
        'minimum %s maximum %s cache %s%s', c.relname, format_type(s.seqtypid, null),
        s.seqincrement, s.seqstart, s.seqmin, s.seqmax, s.seqcache,
        case when s.seqcycle then ' cycle' else '' end) as text
      from pg_sequence s join pg_class c on c.oid = s.seqrelid
      where c.relnamespace = ${schema}::regnamespace
      union all
      select 2, t.typname, format('enum %I: %s', t.typname,
        string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder))
      from pg_type t join pg_enum e on e.enumtypid = t.oid
      where t.typnamespace = ${schema}::regnamespace
      group by t.typname
      union all
      select 3, p.proname || pg_get_function_identity_arguments(p.oid), pg_get_functiondef(p.oid)
      from pg_proc p
      where p.pronamespace = ${schema}::regnamespace and p.prokind in ('f', 'p')
        and not exists (select from pg_depend d
          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      union all
      select 4, c.relname, format('view %I as%s%s', c.relname, chr(10), pg_get_viewdef(c.oid))
      from pg_class c
      where c.relnamespace = ${schema}::regnamespace and c.relkind in ('v', 'm')
    ) as things
    order by kind, name collate "C"`;
  return rows.map(({ text }) => text.trimEnd());
}

function columnText(column: Column): string {
  const parts = [column.name, column.type];
  if (column.collation !== null) parts.push(`collate ${column.collation}`);
  if (column.required) parts.push('not null');
  if (column.identity !== '') parts.push(column.identity === 'a' ? 'identity' : 'identity default');
  if (column.default !== null) {
    const stored = column.generated === 's' ? ' stored' : '';
    parts.push(
      column.generated === ''
        ? `default ${column.default}`
        : `generated as (${column.default})${stored}`,
    );
  }
  return parts.join(' ');
}

/**
 * Dumps the schema as text from the catalog. Equal texts mean equal tables, columns, constraints,
 * indexes, sequences, functions, views and table privileges. For comparing and reading, not for
 * running.
 */
export function dumpSchema(sql: Sql): Promise<string> {
  return sql.begin('isolation level repeatable read read only', async (transaction) => {
    const [place] = await transaction<{ schema: string }[]>`select current_schema() as schema`;
    const schema = place?.schema ?? 'public';
    // With only `pg_catalog` in the path, the server qualifies every name.
    await transaction`select set_config('search_path', 'pg_catalog', true)`;
    const columns = await columnsOf(transaction, schema);
    const parts = [
      ...(await constraintsOf(transaction, schema)),
      ...(await attachmentsOf(transaction, schema)),
      ...(await privilegesOf(transaction, schema)),
    ];
    const tables = Map.groupBy(columns, ({ table }) => table);
    const partsOf = Map.groupBy(parts, ({ table }) => table);
    const blocks = await standAlone(transaction, schema);
    for (const [table, its] of tables) {
      const lines = [...its.map(columnText), ...(partsOf.get(table) ?? []).map(({ text }) => text)];
      blocks.push(`table ${table}\n${lines.map((line) => `  ${line}`).join('\n')}`);
    }
    return `${blocks.join('\n\n')}\n`;
  });
}
