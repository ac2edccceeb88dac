/** Returns the item at an index. Throws RangeError if it does not exist. */
export function itemAt<T>(items: readonly T[], place: number): T {
  const item = items[place];
  if (item === undefined) throw new RangeError(`There is no item ${place} of ${items.length}.`);
  return item;
}

/**
 * Sorts rows into the order of the keys that selected them. A row's `no` is the position of its key
 * from 1, as in `with ordinality`. A key without a row yields null.
 */
export function inOrderOf<Row extends { no: number }>(
  keys: readonly unknown[],
  rows: readonly Row[],
): (Row | null)[] {
  const byNo = new Map(rows.map((row) => [row.no, row]));
  return keys.map((_key, place) => byNo.get(place + 1) ?? null);
}

export const partsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_none, no) =>
    items.slice(no * size, (no + 1) * size),
  );
