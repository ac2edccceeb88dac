import { passesLuhn, passesNaranja } from '../kernel/card-number.ts';
import { Refusal } from '../platform/errors.ts';
import type { Posted } from './form.ts';

/** What only a form of ours would send, and there is none where a connector takes cards. */
const cardFields = ['card_number', 'cvv', 'expiry'];

const digitRuns = /\d(?:[ .-]?\d){12,18}(?!\d)/g;

const isCardNumber = (digits: string): boolean =>
  /^\d{13,19}$/.test(digits) && (passesLuhn(digits) || passesNaranja(digits));

/** Whether a text is or holds what could be the number of a card. */
const looksLikeCard = (text: string): boolean =>
  [...text.matchAll(digitRuns)].some(([run]) => isCardNumber(run.replace(/\D/g, '')));

/** Other than in a field, where any digits may stand between other characters. */
const isTokenOfDigits = (token: string): boolean => isCardNumber(token.replace(/[\s-]/g, ''));

/** Whether a posted form holds what could be the number of a card, in whatever field. */
export const holdsCardNumber = ({ token = '', ...posted }: Posted): boolean =>
  cardFields.some((name) => (posted[name] ?? '') !== '') ||
  isTokenOfDigits(token) ||
  Object.values(posted).some((text) => looksLikeCard(text ?? ''));

/** Where a connector takes cards their numbers are none of ours: nothing of the form is kept. */
export const cardNumberRefused = (): Refusal =>
  new Refusal('malformed', 'The form holds the number of a card, which is not taken here.');
