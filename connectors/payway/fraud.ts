import type { ChargeOrder, KeepOrder } from '../protocol/messages.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Uses the last word as the surname, and a single word as both names. */
function namesOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return { first_name: words.slice(0, -1).join(' ') || last, last_name: last };
}

type Payer = ChargeOrder['payer'];

/** Returns the phone and address that the checkout collected. */
const contactOf = ({ phone, address }: Payer): object => ({
  ...(phone && { phone_number: phone.replace(/^\+/, '') }),
  ...(address && {
    street1: address.street,
    city: address.city,
    postal_code: address.postal_code,
    state: address.province,
  }),
});

/**
 * Builds a payment's `fraud_detection`, with the member names of the libraries. The order contains
 * the payer's name, e-mail, phone and address. For cards on file, phone and address come from the
 * account's settings, as the sold item always does.
 */
export function fraudDetectionOf(
  { account, payer }: { account: ChargeOrder['account']; payer: Payer | KeepOrder['payer'] },
  { customer, amount }: { customer: string; amount: number },
): object {
  const { fraud_detection: configured } = account.settings;
  const own = isObject(configured) ? configured : {};
  return {
    ...own,
    send_to_cs: true,
    channel: 'Web',
    purchase_totals: { currency: 'ARS', amount },
    bill_to: {
      country: 'AR',
      ...(isObject(own.bill_to) && own.bill_to),
      ...contactOf(payer),
      customer_id: customer,
      ...(payer.email && { email: payer.email }),
      ...(payer.name && namesOf(payer.name)),
    },
  };
}
