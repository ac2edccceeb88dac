import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import type { ImportKey } from './import.ts';

/** Bytes per statement. */
const pieceBytes = 1024 * 1024;

export async function storeFile(
  tx: Transaction,
  { accountId, id }: ImportKey,
  bytes: Uint8Array,
): Promise<void> {
  for (let no = 0; no * pieceBytes < bytes.length; no += 1) {
    const piece = Buffer.from(bytes.subarray(no * pieceBytes, (no + 1) * pieceBytes));
    await tx`
      insert into import_files (account_id, import_id, no, bytes)
      values (${accountId}, ${id}, ${no}, ${piece})`;
  }
}

/** Reads a draft's file, one piece per statement. Returns null if it is not stored. */
export async function readFile(
  sql: Queryable,
  { accountId, id }: ImportKey,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  while (true) {
    const [piece] = await sql<{ bytes: Buffer }[]>`
      select bytes from import_files
      where account_id = ${accountId} and import_id = ${id} and no = ${pieces.length}`;
    if (!piece) return pieces.length === 0 ? null : Buffer.concat(pieces);
    pieces.push(piece.bytes);
  }
}

/** Deletes the file of an import that is no longer a draft. */
export async function dropFile(tx: Transaction, { accountId, id }: ImportKey): Promise<void> {
  await tx`delete from import_files where account_id = ${accountId} and import_id = ${id}`;
}
