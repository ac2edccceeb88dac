import type { Account } from '../../accounts/index.ts';
import type { Offer } from '../../money/channels/index.ts';
import type { Drawn } from '../../platform/drawing-cache.ts';
import type { Links } from '../../platform/links.ts';
import type { RequestKey } from '../../requests/index.ts';
import type { TransferAccounts } from '../cvu/open.ts';
import type { FindPaymentRequest } from '../get.ts';
import { renderCoupon } from './coupon.ts';
import { couponOf } from './coupon-of.ts';

interface DrawParts {
  find: FindPaymentRequest;
  readAccount(id: string): Promise<Account | null>;
  links: Links;
  offer: Offer;
  transferAccounts: TransferAccounts;
  drawn: Drawn;
}

/** Draws the coupon of a request as its public link shows it; null: there is no such request. */
export const couponDrawer =
  ({ find, readAccount, links, offer, transferAccounts, drawn }: DrawParts) =>
  async (key: RequestKey): Promise<Buffer | null> => {
    const found = await find(key);
    const account = await readAccount(key.accountId);
    if (!found || !account) return null;
    const cvu = await transferAccounts.cvuOf(found.row, account);
    const model = couponOf(found.row, account, links, offer, cvu);
    return Buffer.from(await drawn.get('coupon/pdf', model, () => renderCoupon(model)));
  };
