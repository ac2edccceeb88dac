import type { Account } from '../accounts/index.ts';
import { buildCvu } from '../kernel/cbu.ts';
import { buildPayload } from '../kernel/emv.ts';
import { earlierPaymentCode } from '../kernel/payment-code.ts';
import type { QrIdentity } from '../money/channels/index.ts';
import type { PaymentRequestRow } from './details.ts';

type RequestName = Pick<PaymentRequestRow, 'account_id' | 'id'>;

/** Returns the code for the payer's bank, as issued. */
export const bankPaymentCode = ({ id, details }: PaymentRequestRow): string =>
  details.payment_code ?? earlierPaymentCode(id);

/** Returns the request's own transfer account, which identifies its transfers. */
export const transferCvu = (psp: string, id: number): string => buildCvu(psp, id);

/**
 * Returns the id of a request's QR. Ids of the QR service have a dash after the account and no dot,
 * so they never collide.
 */
export const qrIdOf = ({ account_id, id }: RequestName): string => `${account_id}.${id}`;

/**
 * Parses the request's number in a QR id. Returns null if the id is malformed or another account's.
 * Older QRs have a dash instead of the dot.
 */
export function numberInQrId(qrId: string, accountId: string): number | null {
  if (!qrId.startsWith(accountId)) return null;
  const digits = /^[.-]([1-9]\d{0,14})$/.exec(qrId.slice(accountId.length))?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * Returns the interoperable code for wallets. Includes the amount only if it is the same on every
 * day, so that prints stay valid. Wallets resolve the id for the amount due.
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
