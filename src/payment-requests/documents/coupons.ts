import { Readable } from 'node:stream';
import type { Account } from '../../accounts/index.ts';
import type { Offer } from '../../money/channels/index.ts';
import type { DrawingCache } from '../../platform/drawing/cache.ts';
import { holdThread } from '../../platform/drawing/thread.ts';
import type { Links } from '../../platform/links.ts';
import type { RequestKey } from '../../requests/index.ts';
import type { TransferAccounts } from '../cvu/open.ts';
import type { PaymentRequestRow } from '../details.ts';
import type { FindPaymentRequest } from '../get.ts';
import { drawApart } from './apart.ts';
import { couponOf } from './coupon-of.ts';

export interface CouponParts {
  find: FindPaymentRequest;
  readAccount(id: string): Promise<Account | null>;
  readLogo(accountId: string, hash: string): Promise<Buffer | null>;
  links: Links;
  offer: Offer;
  transferAccounts: TransferAccounts;
  drawn: DrawingCache;
}

/** Draws coupons of payment requests. Concurrent calls for one request share the drawing. */
export function createCoupons(parts: CouponParts) {
  const { find, readAccount, links, offer, transferAccounts, drawn } = parts;
  const logoOf = async ({ id, look: { logo } }: Account): Promise<Buffer | null> =>
    logo ? await parts.readLogo(id, logo.hash) : null;

  const draw = async (
    row: PaymentRequestRow,
    account: Account,
    cvu: string | null,
    network?: string,
  ): Promise<Buffer> => {
    const model = couponOf(row, account, links, offer, cvu);
    const pdf = await drawn.get('coupon/pdf', model, async () =>
      drawApart(
        { account: account.id, network },
        'coupon',
        JSON.stringify(model),
        await logoOf(account),
      ),
    );
    return Buffer.from(pdf);
  };

  async function* bundled(
    account: Account,
    ids: AsyncIterable<readonly number[]>,
  ): AsyncGenerator<Buffer> {
    const whose = { account: account.id };
    const name = crypto.randomUUID();
    const release = holdThread();
    try {
      await drawApart(whose, 'openBundle', name, account.name, await logoOf(account));
      for await (const some of ids) {
        const found = await Promise.all(some.map((id) => find({ accountId: account.id, id })));
        for (const one of found) {
          if (one?.row.state !== 'pending') continue;
          const cvu = await transferAccounts.cvuOf(one.row, account);
          const model = couponOf(one.row, account, links, offer, cvu);
          const bytes = await drawApart(whose, 'addToBundle', name, JSON.stringify(model));
          if (bytes.length > 0) yield bytes;
        }
      }
      yield await drawApart(whose, 'endBundle', name);
    } finally {
      await drawApart(whose, 'dropBundle', name).catch(() => {});
      release();
    }
  }

  return {
    draw,
    logoOf,
    /** Draws a request's coupon. Returns null if the request or its account is unknown. */
    async ofRequest(key: RequestKey): Promise<Buffer | null> {
      const [found, account] = await Promise.all([find(key), readAccount(key.accountId)]);
      if (!found || !account) return null;
      return await draw(found.row, account, await transferAccounts.cvuOf(found.row, account));
    },
    /** Streams one PDF of payable requests' coupons, drawing at the reader's pace. */
    bundle: (account: Account, ids: AsyncIterable<readonly number[]>): Readable =>
      Readable.from(bundled(account, ids), { objectMode: false }),
  };
}

export type Coupons = ReturnType<typeof createCoupons>;
