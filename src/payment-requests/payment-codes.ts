import type { Account } from '../accounts/index.ts';
import { buildCvu } from '../kernel/cbu.ts';
import { buildPayload } from '../kernel/emv.ts';
import type { Centavos } from '../kernel/money.ts';
import { earlierPaymentCode } from '../kernel/payment-code.ts';
import type { QrIdentity } from '../money/channels/index.ts';
import type { PaymentRequestRow } from './details.ts';

/** What the payer types at his bank, as it was issued with the request. */
export const bankPaymentCode = ({ id, details }: PaymentRequestRow): string =>
  details.payment_code ?? earlierPaymentCode(id);

/** The request's own transfer account, so that a transfer tells what it pays. */
export const transferCvu = (psp: string, id: number): string => buildCvu(psp, id);

/** The interoperable code with a closed amount that a wallet scans at the checkout. */
export const qrPayload = (
  identity: QrIdentity,
  account: Pick<Account, 'id' | 'name' | 'cuit' | 'city'>,
  id: number,
  amount: Centavos,
): string =>
  buildPayload({
    kind: 'dynamic',
    ...identity,
    holderCuit: account.cuit,
    name: account.name,
    city: account.city,
    id: `${account.id}-${id}`,
    amount,
  });
