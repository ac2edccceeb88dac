import type { Batch, BatchKey } from '../batch.ts';

/** A document that is whole in its storage. */
export interface Arrived {
  bytes: number;
  /** Names this very content, where content could be replaced. */
  version: string | null;
}

/** Stores documents until they are processed. */
export interface DocumentStorage {
  /** The address for one PUT of the document, without any other authorization. */
  uploadUrl(key: BatchKey): Promise<string>;
  /** The document, if it has arrived without our noticing; null until then. */
  arrived(key: BatchKey): Promise<Arrived | null>;
  /** Its bytes, in order. Throws MalformedDocument when it is another document than arrived. */
  read(batch: Batch): AsyncIterable<Uint8Array>;
  /** Puts a document there that came to us. */
  put(key: BatchKey, document: Buffer): Promise<void>;
  /** Removes what is there; nothing there is fine. */
  remove(key: BatchKey): Promise<void>;
}

export type Storages = {
  postgres: DocumentStorage;
  /** Null where no such store is configured. */
  s3: DocumentStorage | null;
};

/** Returns the storage of a batch's document. */
export function storageOf(storages: Storages, batch: Batch): DocumentStorage {
  const storage = storages[batch.stored_in];
  if (!storage) {
    throw new Error(`The document of batch ${batch.id} is in a store that is not configured.`);
  }
  return storage;
}
