/** The item at a place that is known to be there. Throws RangeError where it is not. */
export function itemAt<T>(items: readonly T[], place: number): T {
  const item = items[place];
  if (item === undefined) throw new RangeError(`There is no item ${place} of ${items.length}.`);
  return item;
}

/**
 * Puts rows that were read by keys into the order of the keys: `no` of a row is its key's place,
 * counted from 1 as `with ordinality` does. Null for a key without a row.
 */
export function inOrderOf<Row extends { no: number }>(
  keys: readonly unknown[],
  rows: readonly Row[],
): (Row | null)[] {
  const byNo = new Map(rows.map((row) => [row.no, row]));
  return keys.map((_key, place) => byNo.get(place + 1) ?? null);
}

/** A list in parts of so many items, the last maybe of fewer; of an empty one none. */
export const partsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_none, no) =>
    items.slice(no * size, (no + 1) * size),
  );
