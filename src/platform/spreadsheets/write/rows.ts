import { setImmediate as nextTurn } from 'node:timers/promises';

/** Yields single rows from pieces. */
export interface RowSource<Row> {
  /** Returns the next row, or null at the end. Waits only between pieces. */
  next(): Row | null | Promise<Row | null>;
  /** Returns true if there are no more rows. */
  ended(): Promise<boolean>;
}

export function rowSourceOf<Row>(pieces: AsyncIterator<readonly Row[]>): RowSource<Row> {
  let piece: readonly Row[] = [];
  let index = 0;
  let done = false;
  const fill = async (): Promise<void> => {
    while (!done && index >= piece.length) {
      const next = await pieces.next();
      done = next.done === true;
      piece = next.done ? [] : next.value;
      index = 0;
    }
  };
  const taken = (): Row | null => {
    const row = piece[index] ?? null;
    index += 1;
    return row;
  };
  return {
    next: () => (index < piece.length ? taken() : fill().then(taken)),
    async ended() {
      await fill();
      return done;
    },
  };
}

/** Characters written per turn of the event loop: a few milliseconds. */
const chunkLength = 32 * 1024;

interface Written<Row> {
  head: string;
  row: (row: Row, index: number) => string;
  /** Maximum number of rows. The rest stays in the source. */
  most?: number;
  tail: string;
}

/** Writes rows as chunks of bytes, yielding to other work. */
export async function* chunksOf<Row>(
  rows: RowSource<Row>,
  { head, row: write, most = Number.POSITIVE_INFINITY, tail }: Written<Row>,
): AsyncGenerator<Buffer> {
  let text = head;
  for (let index = 0; index < most; index += 1) {
    const next = rows.next();
    const row = next instanceof Promise ? await next : next;
    if (row === null) break;
    text += write(row, index);
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
    await nextTurn();
  }
  yield Buffer.from(text + tail);
}
