import { clientInBarcode, decodeBarcode } from '../../kernel/barcode.ts';
import { compareDays, dayOf } from '../../kernel/dates.ts';
import { earlierPaymentCode, idInPaymentCode, samePaymentCode } from '../../kernel/payment-code.ts';
import type { SuspenseReason } from '../../money/suspense/index.ts';
import { amountDue, type RequestRow } from '../../requests/index.ts';
import type { PaymentCode, RailPayment } from '../files/format.ts';

/** Remarks on a payment for the operator. The last two are also reasons for a mismatch. */
export const remarks = [
  'late',
  'duplicate',
  'amount_differs',
  /** A terminal sent control characters after the code. */
  'control_characters',
  'unreadable_code',
  'unknown_request',
] as const;
export type Remark = (typeof remarks)[number];

/** Without a request, the first remark is the reason. */
export type Match =
  | { request: RequestRow; remarks: Remark[] }
  | { request: null; remarks: [SuspenseReason, ...Remark[]] };

/** Returns the request id in a code, or null if it contains none. */
export function requestIdIn({ kind, text }: PaymentCode): number | null {
  const digits = text.trim();
  if (!/^\d+$/.test(digits)) return null;
  if (kind === 'typed') return idInPaymentCode(digits);
  return clientInBarcode(digits)?.client || null;
}

/**
 * Returns true if the code was issued for the request. Another collector's coupon may carry the
 * same client number, so every digit of a barcode must match, except digits that the network cuts
 * off at the end.
 */
function isIssuedFor({ kind, text }: PaymentCode, { id, details }: RequestRow): boolean {
  if (kind === 'barcode') return String(details.barcode).startsWith(text.trim());
  const issued = details.payment_code ?? earlierPaymentCode(id);
  return samePaymentCode(String(issued), text.trim());
}

/** Returns why a code matches no request: it was misread, or is not ours. */
function reasonOf(code: PaymentCode): SuspenseReason {
  if (requestIdIn(code) === null) return 'unreadable_code';
  const digits = code.text.trim();
  const readable =
    code.kind === 'typed' || clientInBarcode(digits)?.isCut || decodeBarcode(digits).ok;
  return readable ? 'unknown_request' : 'unreadable_code';
}

/**
 * Matches a payment with requests by id. `paidBefore` contains the ids of requests that are already
 * paid.
 */
export function match(
  { code, amount, paidAt }: RailPayment,
  requests: ReadonlyMap<number, RequestRow>,
  paidBefore: ReadonlySet<number>,
): Match {
  const request = requests.get(requestIdIn(code) ?? 0);
  const own: Remark[] = code.hasControls ? ['control_characters'] : [];
  if (request?.kind !== 'payment_request' || !isIssuedFor(code, request)) {
    return { request: null, remarks: [reasonOf(code), ...own] };
  }
  const paidOn = dayOf(paidAt);
  if (compareDays(paidOn, request.last_due) > 0) own.push('late');
  if (request.state === 'paid' || paidBefore.has(request.id)) own.push('duplicate');
  if (amount !== amountDue(request, paidOn)) own.push('amount_differs');
  return { request, remarks: own };
}
