import { setImmediate as othersTurn } from 'node:timers/promises';
import type { ItemReader } from '../../kernel/json-items.ts';

/** Bytes per slice, a millisecond or two of work. */
const sliceBytes = 64 * 1024;

/** Yields the items that each slice of a document completes, letting other work run in between. */
export async function* itemsIn(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: ItemReader,
): AsyncGenerator<unknown[]> {
  let begun = false;
  for await (const piece of bytes) {
    for (let index = 0; index < piece.length; index += sliceBytes) {
      if (begun) await othersTurn();
      begun = true;
      yield reader.push(piece.subarray(index, index + sliceBytes));
    }
  }
}

/** Regroups lists into pages of `size`, starting at item `from`. The last page may be shorter. */
export async function* pagesOf<T>(
  lists: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  size: number,
  from = 0,
): AsyncGenerator<T[]> {
  let toSkip = from;
  let waiting: T[] = [];
  for await (const list of lists) {
    waiting.push(...list.slice(toSkip));
    toSkip = Math.max(0, toSkip - list.length);
    while (waiting.length >= size) {
      yield waiting.slice(0, size);
      waiting = waiting.slice(size);
      await othersTurn();
    }
  }
  if (waiting.length > 0) yield waiting;
}
