import type { Queryable } from './connect.ts';

type Fragment = ReturnType<Queryable>;

/** Builds a column of a statement's items, as an array of this type. */
export type Column<Item> = (type: string, of: (item: Item) => unknown) => Fragment;

/**
 * Builds columns of a statement's items as arrays. A value shared by all items is sent once,
 * because writing and reading it ten thousand times takes as long as the insert. Each combination
 * of shared columns needs its own statement text. Fewer than `fewest` items may share values by
 * chance, so they send all columns.
 */
export const columnsOf =
  <Item>(sql: Queryable, items: readonly Item[], fewest = 2): Column<Item> =>
  (typeName, of) => {
    const type = sql.unsafe(typeName);
    const values = items.map(of);
    const [first] = values;
    const isShared =
      first !== undefined && values.length >= fewest && values.every((value) => value === first);
    return isShared
      ? sql`array_fill(${first}::${type}, array[${values.length}::int])`
      : sql`${values}::${type}[]`;
  };
