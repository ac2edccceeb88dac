import type { Base, Ctx } from '../../platform/base.ts';
import { batcher, byAccount } from '../../platform/batcher.ts';
import { refusal } from '../codes.ts';
import { readQrId } from '../item.ts';
import { type FoundQr, readQrs } from './store-reads.ts';

export type { FoundQr };

/** A QR by its id, with the account's prefix. */
interface QrKey {
  accountId: string;
  code: string;
}

export type FindQr = (key: QrKey) => Promise<FoundQr | null>;

/** Finds QRs by id. Concurrent reads share a statement. */
export const findQrs = ({ sql }: Base): FindQr =>
  batcher(
    (keys: QrKey[]) => readQrs(sql, keys),
    { maxBatch: 200, maxQueue: 10_000, parallel: 1 },
    byAccount(sql, ({ accountId }) => accountId),
  );

/**
 * Reads a dynamic QR of the account by its id, with or without the prefix. Throws 404 if missing.
 */
export type GetQr = (ctx: Ctx, sent: string) => Promise<FoundQr>;

export const getQr =
  (find: FindQr): GetQr =>
  async ({ accountId }, sent) => {
    const id = readQrId(sent, accountId);
    const found = id.ok ? await find({ accountId, code: id.value }) : null;
    if (!found) throw refusal('qr.not_found', {});
    return found;
  };
