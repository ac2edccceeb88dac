import type { Queryable } from './connect.ts';

type Fragment = ReturnType<Queryable>;

type Trim<T extends string> = T extends `${' ' | '\n'}${infer Rest}` ? Trim<Rest> : T;
type NameOf<Column extends string> =
  Trim<Column> extends `${infer Name} ${infer Type}`
    ? Trim<Type> extends 'ordinality'
      ? never
      : Name
    : never;
type NamesIn<List extends string> = List extends `${infer First},${infer Rest}`
  ? NameOf<First> | NamesIn<Rest>
  : NameOf<List>;
type NamesOf<Shape extends string> = Shape extends `${string}(${infer List})`
  ? NamesIn<List>
  : never;
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type Missing<Item, Name extends string> = Name extends unknown
  ? Extract<Name | Camel<Name>, keyof Item> extends never
    ? Name
    : never
  : never;
/** `unknown` if the items have a member for every column, else a type that no list satisfies. */
type Fits<Item, Shape extends string> =
  Missing<Item, NamesOf<Shape>> extends never
    ? unknown
    : { 'an item lacks': Missing<Item, NamesOf<Shape>> };

interface Parsed {
  pieces: TemplateStringsArray;
  columns: readonly { name: string; camel: string }[];
}

const camelOf = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Caches parsed shapes. There are few, because shapes are literals in the code. */
const shapes = new Map<string, Parsed>();

function parse(shape: string): Parsed {
  const known = shapes.get(shape);
  if (known !== undefined) return known;
  const [, alias, list] = /^\s*(\w+) \(([\w\s,]+)\)\s*$/.exec(shape) ?? [];
  if (alias === undefined || list === undefined) throw new Error(`no recordset: ${shape}`);
  const all = list.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(/\s+/);
    return { name, type };
  });
  const columns = all.filter(({ type }) => type !== 'ordinality');
  const numbered = columns.length < all.length ? ' with ordinality' : '';
  const names = all.map(({ name }) => name).join(', ');
  const pieces = columns.map((_, index) => {
    const before = columns[index - 1];
    return before === undefined ? 'unnest(' : `::${before.type}[], `;
  });
  pieces.push(`::${columns.at(-1)?.type}[])${numbered} as ${alias} (${names})`);
  const parsed = {
    pieces: Object.assign(pieces, { raw: pieces }),
    columns: columns.map(({ name }) => ({ name, camel: camelOf(name) })),
  };
  shapes.set(shape, parsed);
  return parsed;
}

/**
 * Builds a relation of items, for `from`. `shape` is written like a record definition in SQL, such
 * as `key (account_id text, no smallint, place ordinality)`. An `ordinality` column numbers the
 * items from 1. Every other column reads the item's member of the same name, in snake or camel
 * case, and is null if the member is absent.
 */
export function recordset<Item extends object, const Shape extends string>(
  sql: Queryable,
  shape: Shape,
  items: readonly Item[] & Fits<Item, Shape>,
): Fragment {
  const { pieces, columns } = parse(shape);
  const rows = items as readonly Readonly<Record<string, unknown>>[];
  const values = columns.map(({ name, camel }) =>
    rows.map((item) => item[name] ?? item[camel] ?? null),
  );
  return sql(pieces, ...values);
}
