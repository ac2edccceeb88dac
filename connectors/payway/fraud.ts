import type { ChargeOrder, KeepOrder } from '../protocol/messages.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The last word is the surname; a single word stands for both. */
function namesOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return { first_name: words.slice(0, -1).join(' ') || last, last_name: last };
}

type Payer = ChargeOrder['payer'];

/** Telephone and address that the checkout asked for. */
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
 * `fraud_detection` of a payment, as the libraries name its members. The order knows name, e-mail,
 * telephone and address of the payer. Where nobody was asked, as for a card on file, telephone and
 * address come from the account's settings, and so does what is sold.
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
