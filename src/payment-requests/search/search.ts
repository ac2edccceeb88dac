import { paidThrough, withResults } from '../../money/collections/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { findRequestsByWords } from '../../requests/index.ts';
import type { PaymentRequestRow } from '../details.ts';
import type { RequestWithResults } from '../get.ts';
import { type PaymentRequestSearch, soughtIn } from './query.ts';

/** Finds the account's payment requests by words and filters, with results, newest first. */
export const searchPaymentRequests =
  ({ reads, clocks }: Base) =>
  async (
    { accountId }: Ctx,
    query: PaymentRequestSearch,
    limit: number,
  ): Promise<RequestWithResults[]> => {
    const { channel, ...sought } = soughtIn(query);
    const kind = 'payment_request';
    return await reads.read({ accountId }, async ({ sql }) => {
      const rows = await findRequestsByWords<PaymentRequestRow>(sql, {
        ...sought,
        accountId,
        kind,
        named: channel === null ? null : paidThrough(sql, { accountId, kind, channel }),
        limit,
        today: clocks.business.today(),
      });
      return await withResults(sql, rows);
    });
  };
