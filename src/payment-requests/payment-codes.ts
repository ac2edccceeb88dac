import type { Account } from '../accounts/index.ts';
import { buildCvu } from '../kernel/cbu.ts';
import { buildPayload } from '../kernel/emv.ts';
import { earlierPaymentCode } from '../kernel/payment-code.ts';
import type { QrIdentity } from '../money/channels/index.ts';
import type { PaymentRequestRow } from './details.ts';

type RequestName = Pick<PaymentRequestRow, 'account_id' | 'id'>;

/** The code for the payer's bank, as issued with the request. */
export const bankPaymentCode = ({ id, details }: PaymentRequestRow): string =>
  details.payment_code ?? earlierPaymentCode(id);

/** The request's own transfer account, so that a transfer identifies its request. */
export const transferCvu = (psp: string, id: number): string => buildCvu(psp, id);

/**
 * The id of a request's QR. Ids of the QR service have a dash after the account and no dot
 * anywhere, so none of a caller's can be this one.
 */
export const qrIdOf = ({ account_id, id }: RequestName): string => `${account_id}.${id}`;

/**
 * Parses the number in such an id; null if it is not of this account. Older codes have a dash
 * there.
 */
export function numberInQrId(qrId: string, accountId: string): number | null {
  if (!qrId.startsWith(accountId)) return null;
  const digits = /^[.-]([1-9]\d{0,14})$/.exec(qrId.slice(accountId.length))?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The interoperable code that a wallet scans. It has an amount only if that is the same on every
 * day: prints stay right, and wallets read the amount due by resolving the id.
 */
export const qrPayload = (
  identity: QrIdentity,
  account: Pick<Account, 'name' | 'cuit' | 'city'>,
  row: RequestName & Pick<PaymentRequestRow, 'total1' | 'total2'>,
): string =>
  buildPayload({
    kind: 'dynamic',
    ...identity,
    holderCuit: account.cuit,
    name: account.name,
    city: account.city,
    id: qrIdOf(row),
    amount: row.total2 === null ? row.total1 : undefined,
  });
