import type { Queryable } from '../postgres/connect.ts';

/** Bytes per row, and per statement. */
const chunkBytes = 1024 * 1024;

/** Re-chunks bytes to one size. The last chunk may be shorter. */
export async function* chunksOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let gathered = 0;
  for await (const piece of body) {
    pieces.push(piece);
    gathered += piece.length;
    if (gathered < chunkBytes) continue;
    const joined = Buffer.concat(pieces);
    const whole = joined.length - (joined.length % chunkBytes);
    for (let index = 0; index < whole; index += chunkBytes) {
      yield joined.subarray(index, index + chunkBytes);
    }
    pieces = [joined.subarray(whole)];
    gathered = joined.length - whole;
  }
  if (gathered > 0) yield Buffer.concat(pieces);
}

interface FileKey {
  accountId: string;
  id: number;
}

/** Yields a file's chunks, one per statement. `owner` is the table's column of the import's id. */
export async function* readChunks(
  sql: Queryable,
  { table, owner }: { table: string; owner: string },
  { accountId, id }: FileKey,
): AsyncGenerator<Buffer> {
  for (let no = 0; ; no += 1) {
    const [chunk] = await sql<{ bytes: Buffer }[]>`
      select bytes from ${sql(table)}
      where account_id = ${accountId} and ${sql(owner)} = ${id} and no = ${no}`;
    if (!chunk) return;
    yield chunk.bytes;
  }
}
