import type { Config } from '../config/index.ts';
import { type PaymentRequestRow, transferCvu } from '../payment-requests/index.ts';
import {
  type SimulatedRequests,
  simulatedDebitRequests,
  simulatedPaymentRequests,
  simulatedQrs,
  simulatedRequests,
} from '../sandbox/http.ts';
import type { Parts } from './parts.ts';

/**
 * Returns a request's transfer account at a connector, else a CVU derived from its id, so that it
 * can be paid even if no connector offers transfers. Returns null if there is neither.
 */
async function simulatedCvu(
  { readAccount, transferAccounts }: Parts,
  { CVU_PSP: psp }: Config,
  row: PaymentRequestRow,
): Promise<string | null> {
  const holder = await readAccount(row.account_id);
  const cvu = holder && (await transferAccounts.cvuOf(row, holder));
  return cvu ?? (psp === null ? null : transferCvu(psp, row.id));
}

/** Builds the simulated payers of all kinds of requests. Returns null in production. */
export function simulatedOf(parts: Parts, config: Config): SimulatedRequests | null {
  const { base, requests, plansFor, debits, links } = parts;
  if (!parts.sandbox) return null;
  return simulatedRequests(base, {
    payment_request: simulatedPaymentRequests(base, {
      requests,
      plansFor,
      loadCardKinds: parts.loadCardKinds,
      cvuOf: (row) => simulatedCvu(parts, config, row),
      receiveTransfer: parts.receiveTransfer,
    }),
    debit_request: simulatedDebitRequests(debits),
    card_debit_request: simulatedDebitRequests(debits),
    qr: simulatedQrs(base, parts.qr, { links, terms: parts.qrTerms }),
  });
}
