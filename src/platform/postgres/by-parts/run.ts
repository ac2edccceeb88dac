import type { Result, Sendable } from '../statement.ts';
import { type InsertFrom, maskOf, outermost, type Part, type Parted } from './parts.ts';

/** Rows in the server's format. */
export interface RawResult {
  columns: readonly { name: string; type: number }[];
  rows: readonly (readonly (string | null)[])[];
}

export interface PartsRunner {
  run(statement: Sendable): Promise<Result>;
  runRaw(statement: Sendable): Promise<RawResult>;
}

/** A part's result: columns with type names, and values by column. */
interface Relation {
  columns: readonly { name: string; type: string }[];
  values: readonly (readonly (string | null)[])[];
  count: number;
}

interface Run extends PartsRunner {
  statement: Sendable;
  known: ReadonlyMap<string, Relation>;
}

/** Type names by number, the same in every database. */
const typeNames = new Map<number, string>([
  [16, 'boolean'],
  [17, 'bytea'],
  [20, 'bigint'],
  [21, 'smallint'],
  [23, 'integer'],
  [25, 'text'],
  [114, 'json'],
  [705, 'text'],
  [1005, 'smallint[]'],
  [1009, 'text[]'],
  [1016, 'bigint[]'],
  [1082, 'date'],
  [1184, 'timestamptz'],
  [2278, 'text'],
  [3802, 'jsonb'],
]);
const tableColumns = new Map<string, ReadonlyMap<string, string>>();

const plain = (text: string, parameters: readonly unknown[]): Sendable => ({
  text,
  parameters,
  prepare: true,
  several: false,
});

async function typeName({ runRaw }: PartsRunner, type: number): Promise<string> {
  const known = typeNames.get(type);
  if (known !== undefined) return known;
  const { rows } = await runRaw(plain('select format_type($1::oid, null)', [type]));
  const name = rows[0]?.[0] ?? 'text';
  typeNames.set(type, name);
  return name;
}

/** Returns a table's column types. Looks unknown columns up again, because migrations add some. */
async function columnTypes(
  { runRaw }: PartsRunner,
  { table, columns }: InsertFrom,
): Promise<ReadonlyMap<string, string>> {
  const known = tableColumns.get(table);
  if (known && columns.every((column) => known.has(column))) return known;
  const { rows } = await runRaw(
    plain(
      `select attname, format_type(atttypid, atttypmod) from pg_attribute
       where attrelid = $1::text::regclass and attnum > 0 and not attisdropped`,
      [table],
    ),
  );
  const types = new Map(rows.map(([name, type]) => [name ?? '', type ?? 'text']));
  tableColumns.set(table, types);
  return types;
}

async function relationOf(
  runner: PartsRunner,
  { columns, rows }: RawResult,
  names: readonly string[] | null,
): Promise<Relation> {
  const named = [];
  for (const [index, { name, type }] of columns.entries()) {
    named.push({ name: names?.[index] ?? name, type: await typeName(runner, type) });
  }
  return {
    columns: named,
    values: columns.map((_, index) => rows.map((row) => row[index] ?? null)),
    count: rows.length,
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const isList = (type: string): boolean => type.endsWith('[]');
/**
 * Returns true for JSON, which travels as text, because the driver would serialize it a second
 * time.
 */
const isJson = (type: string): boolean => type === 'json' || type === 'jsonb';

/**
 * Builds a query that returns a part's rows from parameters. Uses typed arrays instead of texts,
 * because parsing texts of times and lists needs stable functions, which an update may not call on
 * a column; Citus would then copy the relation to the node. An array of lists would be
 * two-dimensional, so a list shared by all rows is passed alone.
 */
function asQuery({ columns, values, count }: Relation, parameters: unknown[]): string {
  if (columns.length === 0) return 'select where false';
  const arrays: string[] = [];
  const array = (column: number, type: string): string => {
    arrays.push(`$${parameters.push(values[column])}::${type}[]`);
    return `x.c${arrays.length - 1}`;
  };
  const list = columns.map(({ name, type }, column) => {
    const own = values[column] ?? [];
    const [first = null] = own;
    if (isList(type) && own.every((value) => value === first)) {
      return `$${parameters.push(first)}::${type} as ${quoted(name)}`;
    }
    const isText = isList(type) || isJson(type);
    const value = isText ? `${array(column, 'text')}::${type}` : array(column, type);
    return `${value} as ${quoted(name)}`;
  });
  const names = arrays.map((_, index) => `c${index}`).join(', ');
  // Lists alone do not determine the number of rows.
  const from =
    arrays.length === 0
      ? `generate_series(1, $${parameters.push(count)}::int)`
      : `unnest(${arrays.join(', ')}) as x (${names})`;
  return `select ${list.join(', ')} from ${from}`;
}

/** Composes a part's text, with parameters and relations as arrays. */
function composed(
  { statement, known }: Run,
  text: string,
  mentions: ReadonlySet<string>,
): Sendable {
  const parameters: unknown[] = [];
  const numbers = new Map<string, number>();
  const mask = maskOf(text);
  const own = text.replace(/\$(\d+)/g, (whole, number: string, index: number) => {
    if (mask[index] !== '$') return whole;
    const place = numbers.get(number) ?? parameters.push(statement.parameters[Number(number) - 1]);
    numbers.set(number, place);
    return `$${place}`;
  });
  const relations = [...known].filter(([name]) => mentions.has(name));
  const withs = relations.map(
    ([name, relation]) => `${quoted(name)} as (${asQuery(relation, parameters)})`,
  );
  const before = withs.length === 0 ? '' : `with ${withs.join(',\n')}\n`;
  return { ...statement, text: `${before}${own}`, parameters };
}

/**
 * Casts each parameter that alone forms a column of the query to the type of the column that
 * receives it, as a plain insert does.
 */
function typed({ query, columns }: InsertFrom, types: ReadonlyMap<string, string>): string {
  const head = /^\s*select\s+(?!distinct\b|all\b)/i.exec(query)?.[0].length ?? 0;
  if (head === 0) return query;
  const mask = maskOf(query);
  const from = outermost(mask.slice(head), /from\b/iy);
  const end = from < 0 ? query.length : head + from;
  const items: string[] = [];
  let rest = query.slice(head, end);
  for (;;) {
    const comma = outermost(maskOf(rest), /,/y);
    items.push(comma < 0 ? rest : rest.slice(0, comma));
    if (comma < 0) break;
    rest = rest.slice(comma + 1);
  }
  const list = items.map((item, index) => {
    const type = types.get(columns[index] ?? '') ?? 'text';
    return item.replace(/^(\s*\$\d+)(?=\s*$|\s+as\b)/i, (_, own: string) => `${own}::${type}`);
  });
  return `${query.slice(0, head)}${list.join(',')}${query.slice(end)}`;
}

/** The protocol allows 65,535 parameters. Fewer keep the parser fast. */
const mostParameters = 10_000;

/** Rewrites inserts from a query as values, which go to one node unchanged. */
function* inserts(
  run: Run,
  insert: InsertFrom,
  found: Relation,
  types: ReadonlyMap<string, string>,
) {
  const { columns, table, tail } = insert;
  const atOnce = Math.max(1, Math.floor(mostParameters / Math.max(1, columns.length)));
  for (let start = 0; start < found.count; start += atOnce) {
    const end = Math.min(found.count, start + atOnce);
    const extra: unknown[] = [];
    const ending = composed(run, tail, new Set());
    const offset = ending.parameters.length;
    const rows: string[] = [];
    for (let row = start; row < end; row += 1) {
      const values = found.columns.map(({ type }, column) => {
        const value = found.values[column]?.[row] ?? null;
        const cast = type === 'text' ? (types.get(columns[column] ?? '') ?? type) : type;
        return `$${offset + extra.push(value)}::text::${cast}`;
      });
      rows.push(`(${values.join(', ')})`);
    }
    yield {
      ...ending,
      text: `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${rows.join(', ')} ${ending.text}`,
      parameters: [...ending.parameters, ...extra],
      prepare: run.statement.prepare && end - start === 1,
    } satisfies Sendable;
  }
}

async function insertSource(run: Run, part: Part, insert: InsertFrom) {
  const types = await columnTypes(run, insert);
  const source = composed(run, typed(insert, types), part.mentions);
  return { types, found: await relationOf(run, await run.runRaw(source), null) };
}

/** Returns the columns of an insert that found no rows. */
const shapeOf = (run: Run, { table, returning }: InsertFrom): Promise<RawResult> =>
  run.runRaw(
    composed(run, `select ${returning ?? ''} from ${quoted(table)} where false`, new Set()),
  );

async function runInsert(run: Run, part: Part, insert: InsertFrom): Promise<Relation> {
  const { types, found } = await insertSource(run, part, insert);
  const results: RawResult[] = [];
  for (const statement of inserts(run, insert, found, types)) {
    results.push(await run.runRaw(statement));
  }
  const [
    first = insert.returning === null ? { columns: [], rows: [] } : await shapeOf(run, insert),
  ] = results;
  const rows = results.flatMap((result) => result.rows);
  return await relationOf(run, { columns: first.columns, rows }, part.columns);
}

async function runLastInsert(run: Run, part: Part, insert: InsertFrom): Promise<Result> {
  const { types, found } = await insertSource(run, part, insert);
  const all: Result = Object.assign([], { count: 0 });
  let count = 0;
  for (const statement of inserts(run, insert, found, types)) {
    const result = await run.run(statement);
    count += result.count;
    all.push(...result);
  }
  return Object.assign(all, { count });
}

/** Returns true if a part changes nothing, because the relation that drives it is empty. */
const isIdle = ({ known }: Run, { drivenBy }: Part): boolean =>
  drivenBy !== null && known.get(drivenBy)?.count === 0;

/**
 * Runs a statement's parts in order in one transaction. Reads each part's rows and sends them with
 * the parts that mention them. Parts without accounts' tables run on the coordinator. Other parts
 * run as a whole on their account's node.
 */
export async function runParts(
  runner: PartsRunner,
  statement: Sendable,
  { parts, last, fault }: Parted,
): Promise<Result> {
  if (fault !== null) throw new Error(`${fault} It cannot be run by its parts: ${statement.text}`);
  const known = new Map<string, Relation>();
  const run: Run = {
    statement,
    known,
    run: (one) => runner.run(one),
    runRaw: (one) => runner.runRaw(one),
  };
  const later = [...parts, last];
  for (const [index, part] of parts.entries()) {
    const isNeeded = later.slice(index + 1).some(({ mentions }) => mentions.has(part.name));
    if (!part.writes && !isNeeded) continue;
    if (part.writes && !isNeeded && isIdle(run, part)) continue;
    known.set(
      part.name,
      part.insert
        ? await runInsert(run, part, part.insert)
        : await relationOf(
            run,
            await run.runRaw(composed(run, part.text, part.mentions)),
            part.columns,
          ),
    );
  }
  if (last.insert) return await runLastInsert(run, last, last.insert);
  return await run.run(composed(run, last.text, last.mentions));
}
