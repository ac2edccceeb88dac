import type { Batch, BatchKey } from '../batch.ts';

export interface Arrived {
  bytes: number;
  /** Pins the exact content, in a store that allows replacement. */
  version: string | null;
}

/** Stores documents until they are processed. */
export interface DocumentStorage {
  /** Returns the address for one PUT of the document, which needs no other authorization. */
  uploadUrl(key: BatchKey): Promise<string>;
  /** Returns the document if it has arrived, else null. Stores do not notify us. */
  arrived(key: BatchKey): Promise<Arrived | null>;
  /**
   * Yields its bytes in order. Throws a conflict if it was replaced or removed since it arrived.
   */
  read(batch: Batch): AsyncIterable<Uint8Array>;
  /** Stores a document that we received. */
  put(key: BatchKey, document: Buffer): Promise<void>;
  remove(key: BatchKey): Promise<void>;
}

export type Storages = {
  postgres: DocumentStorage;
  /** Null if not configured. */
  s3: DocumentStorage | null;
};

/** Returns the storage of a batch's document. Throws if it is not configured. */
export function storageOf(storages: Storages, batch: Batch): DocumentStorage {
  const storage = storages[batch.stored_in];
  if (!storage) {
    throw new Error(`The document of batch ${batch.id} is in a store that is not configured.`);
  }
  return storage;
}
