import { passesLuhn, passesNaranja } from '../kernel/card-number.ts';
import { refusal } from './codes.ts';
import type { Posted } from './form.ts';

/** Names of fields in which somebody would send a card; no form of ours has them. */
const cardFields = ['card_number', 'cvv', 'expiry'];

const digitRuns = /\d(?:[ .-]?\d){12,18}(?!\d)/g;

const isCardNumber = (digits: string): boolean =>
  /^\d{13,19}$/.test(digits) && (passesLuhn(digits) || passesNaranja(digits));

/** True if a text is or contains a possible card number. */
const looksLikeCard = (text: string): boolean =>
  [...text.matchAll(digitRuns)].some(([run]) => isCardNumber(run.replace(/\D/g, '')));

/** Other than in a text, where any digits may stand between other characters. */
const isWhollyCard = (value: string): boolean => isCardNumber(value.replace(/[\s.-]/g, ''));

/**
 * A telephone of Argentina with its country has 13 digits, and cards of that range 16; as dialed
 * abroad it has 15, and no card begins with 00.
 */
const isPhone = (text: string): boolean => /^(00)?549\d{10}$/.test(text.replace(/\D/g, ''));

/** True if any field of a form contains a possible card number. */
const holdsCardNumber = ({ token = '', account = '', payer_phone, ...others }: Posted): boolean =>
  cardFields.some((name) => (others[name] ?? '') !== '') ||
  // In the 22 digits of an account any run may look like one.
  [token, account].some(isWhollyCard) ||
  (!isPhone(payer_phone ?? '') && looksLikeCard(payer_phone ?? '')) ||
  Object.values(others).some((text) => looksLikeCard(text ?? ''));

/** Returns the posted form; refuses possible card numbers, and stores nothing of them. */
export function refuseCardNumber(posted: Posted): Posted {
  if (!holdsCardNumber(posted)) return posted;
  throw refusal('checkout.card_number_sent', {});
}
