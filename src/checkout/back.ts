import type { PaymentRequestRow } from '../payment-requests/index.ts';

/** Result of an attempt, for the collector's page. */
export type BackState = 'paid' | 'pending' | 'rejected';

const addresses = {
  paid: 'back_url_success',
  pending: 'back_url_pending',
  rejected: 'back_url_rejected',
} as const satisfies Record<BackState, keyof PaymentRequestRow['details']>;

/**
 * Returns the collector's page for an outcome, with `request_id` and `state` appended to its query,
 * or null if none is set. Preserves the collector's query byte by byte, because it may be signed.
 */
export function backUrlOf({ id, details }: PaymentRequestRow, state: BackState): string | null {
  const sent = details[addresses[state]];
  // Serialized as a URL, because headers allow only ASCII, but accepted URLs may contain more.
  const url = sent ? URL.parse(sent) : null;
  if (!url) return null;
  url.search += `${url.search === '' ? '' : '&'}request_id=${id}&state=${state}`;
  return url.href;
}
