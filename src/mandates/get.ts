import type { Base, Ctx } from '../platform/base.ts';
import { batcher, byAccount } from '../platform/batcher.ts';
import { type MandateKey, type MandateKind, type MandateRow, notThere } from './mandate.ts';
import { readMandates } from './store.ts';

export type FindMandate = (key: MandateKey) => Promise<MandateRow | null>;

/** Reads mandates by key. Concurrent reads share a statement. */
export const findMandates = ({ sql }: Base): FindMandate =>
  batcher(
    (keys: MandateKey[]) => readMandates(sql, keys),
    { maxBatch: 200, maxQueue: 10_000, parallel: 1 },
    byAccount(sql, ({ accountId }) => accountId),
  );

/** Reads one mandate of the account. Throws 404 if it is missing or another account's. */
export const getMandate =
  (find: FindMandate) =>
  async (ctx: Ctx, kind: MandateKind, id: number): Promise<MandateRow> => {
    const row = await find({ accountId: ctx.accountId, kind, id });
    if (!row) throw notThere(kind);
    return row;
  };
