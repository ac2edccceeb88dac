import { printedLogos, readAccount } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import type { Channels, Offer } from '../money/channels/index.ts';
import { createCoupons } from '../payment-requests/http.ts';
import {
  createPayerMails,
  createTransferAccounts,
  type PaymentRequests,
} from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import { keepDrawn } from '../platform/drawing/cache.ts';
import type { Links } from '../platform/links.ts';
import { createMails, payersHeads } from './mails.ts';

export interface PayerWingParts {
  links: Links;
  offer: Offer;
  connected: Channels;
  requests: PaymentRequests;
}

/** Builds everything that reaches payers outside of pages: coupons, transfer accounts, emails. */
export async function createPayerWing(
  base: Base,
  config: Config,
  { links, offer, connected, requests }: PayerWingParts,
) {
  const transferAccounts = createTransferAccounts(base, { connected, offer });
  const drawn = keepDrawn(config.DOCUMENT_CACHE_MB * 1024 * 1024);
  const accountOf = (id: string) => readAccount(base.sql, id);
  const requestReads = { find: requests.find, readAccount: accountOf, links };
  const readLogo = printedLogos(base.sql, drawn);
  const coupons = createCoupons({ ...requestReads, offer, transferAccounts, drawn, readLogo });
  const headOf = payersHeads(readLogo);
  const payerMails = createPayerMails(base, {
    ...requestReads,
    drawCoupon: coupons.ofRequest,
    headOf,
    async drawReceipt(key, receipt) {
      const [found, account] = await Promise.all([requests.find(key), accountOf(key.accountId)]);
      if (!found || !account) return null;
      // Loaded with the first receipt, because commands draw none.
      const { mailedReceipt } = await import('../checkout/index.ts');
      const sandbox = config.ENVIRONMENT === 'sandbox';
      const parts = { links, drawn, coupons, sandbox, business: base.clocks.business };
      return await mailedReceipt({ ...found, ...receipt, account }, parts);
    },
  });
  const sendMails = await createMails(base, config, { links, payerMails, payersHead: headOf });
  return { transferAccounts, drawn, readAccount: accountOf, coupons, payerMails, sendMails };
}
