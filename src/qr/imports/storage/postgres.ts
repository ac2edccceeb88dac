import { readChunks } from '../../../platform/imports/stored-file.ts';
import type { Links } from '../../../platform/links.ts';
import type { Sql } from '../../../platform/postgres/connect.ts';
import { keyOf } from '../batch.ts';
import type { DocumentStorage } from './storage.ts';
import { documents, removeChunks } from './store-chunks.ts';

export const uploadPath = '/qr-upload';

/** Stores documents in the database, in chunks. */
export const postgresStorage = (sql: Sql, links: Links): DocumentStorage => ({
  uploadUrl: async (key) => `${links.origin}${uploadPath}/${links.tokenOf(key, 'upload')}`,
  // Needs no polling, because the receiver reports a document itself.
  arrived: async () => null,
  read: (batch) => readChunks(sql, documents, keyOf(batch)),
  put: async () => {
    throw new Error('documents of ours are received');
  },
  remove: (key) => removeChunks(sql, key),
});
