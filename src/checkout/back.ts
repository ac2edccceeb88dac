import type { PaymentRequestRow } from '../payment-requests/index.ts';

/** How an attempt ended, as the collector's page is told. */
export type BackState = 'paid' | 'pending' | 'rejected';

const addresses = {
  paid: 'back_url_success',
  pending: 'back_url_pending',
  rejected: 'back_url_rejected',
} as const satisfies Record<BackState, keyof PaymentRequestRow['details']>;

/**
 * The collector's own page for an outcome, with `request_id` and `state` behind its query; null
 * where he named none. The query that was sent is not written anew: it may be signed.
 */
export function backUrlOf({ id, details }: PaymentRequestRow, state: BackState): string | null {
  const sent = details[addresses[state]];
  // Written as a URL: a header holds ASCII only, an address that was accepted may hold more.
  const url = sent ? URL.parse(sent) : null;
  if (!url) return null;
  url.search += `${url.search === '' ? '' : '&'}request_id=${id}&state=${state}`;
  return url.href;
}
