import type { Ctx } from '../../platform/base.ts';
import { type QrTerms, refuseUnlessOffered } from '../payload/payload.ts';
import { documentOf } from './document-of.ts';
import type { OpenBatch } from './open.ts';
import type { ReceiveDocument } from './storage/receive.ts';
import type { DocumentStorage } from './storage/storage.ts';

interface Parts {
  open: OpenBatch;
  receive: ReceiveDocument;
  /** Null if documents are uploaded to us. */
  elsewhere: DocumentStorage | null;
}

export type UploadDocument = (ctx: Ctx, bytes: Buffer, terms: QrTerms) => Promise<number>;

/**
 * Accepts a document or a spreadsheet that a person uploads as one file. Returns the id of its
 * import, which workers process.
 */
export const uploadDocument =
  ({ open, receive, elsewhere }: Parts): UploadDocument =>
  async (ctx, bytes, terms) => {
    refuseUnlessOffered(terms);
    const document = await documentOf(bytes, ctx.accountId);
    const { id } = await open(ctx);
    const key = { accountId: ctx.accountId, id: Number(id) };
    if (elsewhere === null) await receive(key, document);
    else await elsewhere.put(key, Buffer.concat(await Array.fromAsync(document)));
    return key.id;
  };
