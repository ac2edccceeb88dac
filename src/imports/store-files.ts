import { chunksOf, readChunks } from '../platform/imports/stored-file.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import type { ImportKey } from './import.ts';

export async function storeFile(
  tx: Transaction,
  { accountId, id }: ImportKey,
  bytes: Uint8Array,
): Promise<void> {
  let no = 0;
  for await (const chunk of chunksOf([bytes])) {
    await tx`
      insert into import_files (account_id, import_id, no, bytes)
      values (${accountId}, ${id}, ${no++}, ${chunk})`;
  }
}

/** Reads a draft's file. Returns null if it is not stored. */
export async function readFile(sql: Queryable, key: ImportKey): Promise<Buffer | null> {
  const file = { table: 'import_files', owner: 'import_id' };
  const chunks = await Array.fromAsync(readChunks(sql, file, key));
  return chunks.length === 0 ? null : Buffer.concat(chunks);
}

/** Deletes the file of an import that is no longer a draft. */
export async function dropFile(tx: Transaction, { accountId, id }: ImportKey): Promise<void> {
  await tx`delete from import_files where account_id = ${accountId} and import_id = ${id}`;
}
