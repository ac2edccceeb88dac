import { passesLuhn, passesNaranja } from '../kernel/card-number.ts';
import { refusal } from './codes.ts';
import type { Posted } from './form.ts';

/** Names of fields that would carry card data. None of our forms has them. */
const cardFields = ['card_number', 'cvv', 'expiry'];

const digitRuns = /\d(?:[ .-]?\d){12,18}(?!\d)/g;

const isCardNumber = (digits: string): boolean =>
  /^\d{13,19}$/.test(digits) && (passesLuhn(digits) || passesNaranja(digits));

/** Returns true if a text is or contains a possible card number. */
const looksLikeCard = (text: string): boolean =>
  [...text.matchAll(digitRuns)].some(([run]) => isCardNumber(run.replace(/\D/g, '')));

/** Returns true if a value is a possible card number and nothing else. */
const isWhollyCard = (value: string): boolean => isCardNumber(value.replace(/[\s.-]/g, ''));

/**
 * Returns true for an Argentine mobile number. It has 13 digits with the country code, while cards
 * of that range have 16. Dialed from abroad it has 15, and no card begins with 00.
 */
const isPhone = (text: string): boolean => /^(00)?549\d{10}$/.test(text.replace(/\D/g, ''));

/**
 * Returns true if a form has a field for card data, or a possible card number in any other field.
 */
const holdsCardNumber = ({ token = '', account = '', payer_phone, ...others }: Posted): boolean =>
  cardFields.some((name) => (others[name] ?? '') !== '') ||
  // Compared whole, because some run among an account's 22 digits may pass for a card number.
  [token, account].some(isWhollyCard) ||
  (!isPhone(payer_phone ?? '') && looksLikeCard(payer_phone ?? '')) ||
  Object.values(others).some((text) => looksLikeCard(text ?? ''));

/** Returns the posted form. Throws if it may contain a card number, which is stored nowhere. */
export function refuseCardNumber(posted: Posted): Posted {
  if (!holdsCardNumber(posted)) return posted;
  throw refusal('checkout.card_number_sent', {});
}
