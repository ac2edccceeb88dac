import {
  type ResultRow,
  readResults,
  readRetentions,
  type WithholdingLine,
} from '../collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { batcher } from '../platform/batcher.ts';
import { notFound } from '../platform/errors.ts';
import { type RequestKey, readRequests } from '../requests/index.ts';
import { asPaymentRequest, type PaymentRequestRow } from './details.ts';

export interface Found {
  row: PaymentRequestRow;
  results: ResultRow[];
}

export type FindPaymentRequest = (key: RequestKey) => Promise<Found | null>;

/** Reads by id, those that wait at the same time in one go: request and results. */
export function findPaymentRequests({ sql }: Base): FindPaymentRequest {
  const read = async (keys: RequestKey[]): Promise<(Found | null)[]> => {
    const rows = await readRequests(sql, keys);
    // Each result raised its request's version, so one that never changed has none to look for.
    const changed = keys.filter((_key, index) => (rows[index]?.version ?? 1) > 1);
    const results = changed.length > 0 ? await readResults(sql, changed) : [];
    const name = (accountId: string, id: number) => `${accountId} ${id}`;
    const byRequest = Map.groupBy(results, (row) => name(row.account_id, row.request_id));
    return rows.map((row) => {
      const own = row && asPaymentRequest(row);
      return own && { row: own, results: byRequest.get(name(own.account_id, own.id)) ?? [] };
    });
  };
  return batcher(read, { maxBatch: 200, maxQueue: 10_000, parallel: 1 });
}

export interface Detailed extends Found {
  retentions: WithholdingLine[] | null;
}

export type GetPaymentRequest = (
  ctx: Ctx,
  query: { id: number; detailRetentions: boolean },
) => Promise<Detailed>;

/** One payment request of the account. 404 for another account's, as for one that is not there. */
export const getPaymentRequest =
  ({ sql }: Base, find: FindPaymentRequest): GetPaymentRequest =>
  async (ctx, { id, detailRetentions }) => {
    const key = { accountId: ctx.accountId, id };
    const found = await find(key);
    if (!found) throw notFound('payment request');
    const retentions = detailRetentions ? await readRetentions(sql, key) : null;
    return { ...found, retentions };
  };
