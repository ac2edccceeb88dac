import { maskCardNumbers } from '../kernel/card-text.ts';

/**
 * Members with ids, which must stay unchanged for comparisons: one in ten long numeric ids looks
 * like a card number.
 */
const ids = new Set([
  'attempt',
  'authorization_code',
  'code',
  'cvu',
  'id',
  'network_transaction_id',
  'next',
  'reference',
  'ticket',
  'tid',
  'trx',
]);

/**
 * Masks card numbers in every text of a message except its ids. `found` is true if there was one.
 */
export function maskMessage(message: unknown): { message: unknown; found: boolean } {
  let found = false;
  const masked = (value: unknown, name: string): unknown => {
    if (typeof value === 'string' && !ids.has(name)) {
      const text = maskCardNumbers(value);
      found ||= text !== value;
      return text;
    }
    if (Array.isArray(value)) return value.map((one) => masked(one, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [inner, masked(one, inner)]),
    );
  };
  return { message: masked(message, ''), found };
}
