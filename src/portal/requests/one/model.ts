import type { Centavos } from '../../../kernel/money.ts';
import type { Offer } from '../../../money/channels/index.ts';
import { proposalsOfRequest, standingOf } from '../../../money/proposals/index.ts';
import type { RefundVerbs } from '../../../money/refunds/index.ts';
import {
  allows,
  checkoutUrl,
  documentPaths,
  type PayerMails,
  type PaymentRequestRow,
  type PaymentRequests,
} from '../../../payment-requests/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import type { Links } from '../../../platform/links.ts';
import { stateOn } from '../../../requests/index.ts';
import { readDisputes } from '../../disputes/model.ts';
import { type AccountVisit, ctxOf, idIn } from '../../frame/index.ts';
import type { OneModel, PayerLinks } from './detail.tsx';

export interface OneParts {
  requests: PaymentRequests;
  refunds: RefundVerbs;
  payerMails: Pick<PayerMails, 'isMailable' | 'resend'>;
  links: Links;
  clocks: Clocks;
  offer: Offer;
  base: Pick<Base, 'sql'>;
  settings: { refundLimit(accountId: string): Promise<Centavos | null> };
}

/** Returns the payer's links that the request offers now. */
function linksOf(
  row: PaymentRequestRow,
  isPending: boolean,
  { links, offer }: Pick<OneParts, 'links' | 'offer'>,
): PayerLinks {
  const token = links.tokenOf({ accountId: row.account_id, id: row.id });
  const { pdfUrl, barcodeUrl } = documentPaths(token);
  const checkout = checkoutUrl(links, token);
  return {
    checkout,
    coupon: links.origin + pdfUrl,
    barcode: allows(row, 'non_banking') && offer.non_banking ? links.origin + barcodeUrl : null,
    qr: isPending && offer.qr && allows(row, 'qr') ? `${checkout}/qr.png` : null,
  };
}

/** Reads everything on a request's page. Throws 404 if the account has no such request. */
export async function readOne(visit: AccountVisit, parts: OneParts): Promise<OneModel> {
  const { requests, clocks } = parts;
  const ctx = ctxOf(visit);
  const id = idIn(visit);
  const { row, results, retentions } = await requests.get(ctx, { id, detailRetentions: true });
  const [refunds, steps, proposed, disputes] = await Promise.all([
    parts.refunds.list({ key: { accountId: ctx.accountId, id }, kind: 'payment_request' }),
    requests.timeline(ctx, id),
    proposalsOfRequest(parts.base.sql, { accountId: ctx.accountId, id }),
    readDisputes(parts.base.sql, { accountId: ctx.accountId, id }),
  ]);
  const state = stateOn(row, clocks.business.today());
  const now = clocks.business.now();
  return {
    row,
    state,
    results,
    retentions: retentions ?? [],
    refunds,
    disputes,
    now,
    proposed: proposed.map((one) => ({ ...one, state: standingOf(one, now) })),
    refundable: parts.refunds.refundable(results),
    mailable: parts.payerMails.isMailable({ row, results }),
    steps,
    links: linksOf(row, state === 'pending', parts),
  };
}
