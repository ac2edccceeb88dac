import type { Account } from '../../accounts/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import type { Links } from '../../platform/links.ts';
import type { Bulk, Qr, QrTerms } from '../../qr/index.ts';

export interface QrPageParts {
  base: Base;
  clocks: Clocks;
  links: Links;
  qr: Qr;
  bulk: Bulk;
  qrTerms: QrTerms;
  coupons: { logoOf(account: Account): Promise<Buffer | null> };
}
