import type { Account } from '../accounts/index.ts';
import { buildCvu } from '../kernel/cbu.ts';
import { buildPayload } from '../kernel/emv.ts';
import type { Centavos } from '../kernel/money.ts';
import { earlierPaymentCode } from '../kernel/payment-code.ts';
import type { PaymentRequestRow } from './details.ts';

/** How the outside world knows this deployment (configuration). */
export interface CodeTerms {
  pmcCompany: string;
  linkEntity: string;
  /** Provider code of the transfer accounts. */
  cvuPsp: string;
  qr: { acceptorDomain: string; administratorCuit: string; mcc: string };
}

/** What the payer types at his bank, as it was issued with the request. */
export const bankPaymentCode = ({ id, details }: PaymentRequestRow): string =>
  details.payment_code ?? earlierPaymentCode(id);

/** The request's own transfer account, so that a transfer tells what it pays. */
export const transferCvu = (terms: CodeTerms, id: number): string => buildCvu(terms.cvuPsp, id);

/** The interoperable code with a closed amount that a wallet scans at the checkout. */
export const qrPayload = (
  terms: CodeTerms,
  account: Pick<Account, 'id' | 'name' | 'cuit' | 'city'>,
  id: number,
  amount: Centavos,
): string =>
  buildPayload({
    kind: 'dynamic',
    ...terms.qr,
    holderCuit: account.cuit,
    name: account.name,
    city: account.city,
    id: `${account.id}-${id}`,
    amount,
  });
