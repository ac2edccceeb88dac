import {
  type FindRequest,
  type ResultRow,
  readRetentions,
  type WithholdingLine,
} from '../money/collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { RequestKey } from '../requests/index.ts';
import { refusal } from './codes.ts';
import { isPaymentRequest, type PaymentRequestRow } from './details.ts';

export interface RequestWithResults {
  row: PaymentRequestRow;
  results: ResultRow[];
}

export type FindPaymentRequest = (key: RequestKey) => Promise<RequestWithResults | null>;

/** Finds a payment request by id. Returns null if it is missing or of another kind. */
export const findPaymentRequests =
  (find: FindRequest): FindPaymentRequest =>
  async (key) => {
    const found = await find(key);
    return found && isPaymentRequest(found.row) ? { row: found.row, results: found.results } : null;
  };

export interface Detailed extends RequestWithResults {
  retentions: WithholdingLine[] | null;
}

export type GetPaymentRequest = (
  ctx: Ctx,
  query: { id: number; detailRetentions: boolean },
) => Promise<Detailed>;

/** Reads a payment request of the account. Throws 404 if it is missing or another account's. */
export const getPaymentRequest =
  ({ sql }: Base, find: FindPaymentRequest): GetPaymentRequest =>
  async (ctx, { id, detailRetentions }) => {
    const key = { accountId: ctx.accountId, id };
    const found = await find(key);
    if (!found) throw refusal('payment_request.not_found', {});
    const retentions = detailRetentions ? await readRetentions(sql, key) : null;
    return { ...found, retentions };
  };
