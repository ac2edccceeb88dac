import type { Base, Ctx } from '../../platform/base.ts';
import { batcher, byAccount } from '../../platform/batcher.ts';
import { refusal } from '../codes.ts';
import { readQrId } from '../item.ts';
import {
  type QrKey,
  readLastTransactions,
  readStatics,
  readTransactions,
  type StaticRow,
  type StaticState,
  type TransactionRow,
} from './store.ts';

export type FoundStatic =
  | { kind: 'static'; state: StaticState }
  | { kind: 'transaction'; row: TransactionRow; of: StaticRow };

export type FindStatic = (key: QrKey) => Promise<FoundStatic | null>;

/** Reads further data on the items that were found, in one call. Returns it by item. */
async function besides<T, R>(
  found: (T | null)[],
  keyOf: (one: T) => QrKey,
  read: (keys: QrKey[]) => Promise<R[]>,
): Promise<Map<T, R>> {
  const there = found.filter((one) => one !== null);
  const rows = there.length > 0 ? await read(there.map(keyOf)) : [];
  return new Map(there.map((one, index) => [one, rows[index] as R]));
}

/** Finds statics and their transactions by QR id. Concurrent reads share a statement. */
export function findStatics({ sql }: Base): FindStatic {
  const read = async (keys: QrKey[]): Promise<(FoundStatic | null)[]> => {
    const [statics, transactions] = await Promise.all([
      readStatics(sql, keys),
      readTransactions(sql, keys),
    ]);
    const [lastOf, ofTransaction] = await Promise.all([
      besides(
        statics,
        ({ account_id, id }) => ({ accountId: account_id, id }),
        (keys) => readLastTransactions(sql, keys),
      ),
      besides(
        transactions,
        ({ account_id, static_id }) => ({ accountId: account_id, id: static_id }),
        (keys) => readStatics(sql, keys),
      ),
    ]);
    return keys.map((_key, index): FoundStatic | null => {
      const row = statics[index];
      const last = row && lastOf.get(row);
      if (row && last) return { kind: 'static', state: { row, ...last } };
      const transaction = transactions[index];
      const of = transaction && ofTransaction.get(transaction);
      return transaction && of ? { kind: 'transaction', row: transaction, of } : null;
    });
  };
  return batcher(
    read,
    { maxBatch: 200, maxQueue: 10_000, parallel: 1 },
    byAccount(sql, ({ accountId }) => accountId),
  );
}

export type GetStatic = (ctx: Ctx, qrId: string) => Promise<FoundStatic>;

/**
 * Finds a static or a transaction of the account by id, with or without the prefix. Throws 404 if
 * missing.
 */
export const getStatic =
  (find: FindStatic): GetStatic =>
  async ({ accountId }, qrId) => {
    const id = readQrId(qrId, accountId);
    const found = id.ok ? await find({ accountId, id: id.value }) : null;
    if (!found) throw refusal('qr.not_found', {});
    return found;
  };
