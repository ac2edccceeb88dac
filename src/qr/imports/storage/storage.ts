import type { Batch, BatchKey } from '../batch.ts';

/** A document that is whole in its storage. */
export interface Arrived {
  bytes: number;
  /** Identifies this exact content, in a store that allows replacement. */
  version: string | null;
}

/** Stores documents until they are processed. */
export interface DocumentStorage {
  /** The address for one PUT of the document, without any other authorization. */
  uploadUrl(key: BatchKey): Promise<string>;
  /** Returns the document if it has arrived, else null; the store does not notify us. */
  arrived(key: BatchKey): Promise<Arrived | null>;
  /** Its bytes, in order. Throws MalformedDocument when it is another document than arrived. */
  read(batch: Batch): AsyncIterable<Uint8Array>;
  /** Stores a document that we received. */
  put(key: BatchKey, document: Buffer): Promise<void>;
  /** Removes the document, if any. */
  remove(key: BatchKey): Promise<void>;
}

export type Storages = {
  postgres: DocumentStorage;
  /** Null if no such store is configured. */
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
