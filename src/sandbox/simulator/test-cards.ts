import { randomBytes } from 'node:crypto';
import { type CardBrand, isCardBrand, lastFour } from '../../kernel/card-number.ts';
import type { CardKind } from '../../money/channels/index.ts';

interface TestCard {
  number: string;
  brand: string;
  outcome: 'approved' | 'insufficient_funds' | 'rejected';
}

/** Public test cards (docs/reference/sandbox.md). Any other valid number is approved. */
export const testCards: readonly TestCard[] = [
  { number: '4507990000004905', brand: 'Visa', outcome: 'approved' },
  { number: '5299910010000015', brand: 'Mastercard', outcome: 'approved' },
  { number: '5896570000000008', brand: 'Cabal', outcome: 'approved' },
  { number: '4517721004856075', brand: 'Visa Débito', outcome: 'approved' },
  { number: '373953192351004', brand: 'American Express', outcome: 'approved' },
  { number: '4546400044997331', brand: 'Visa', outcome: 'rejected' },
  { number: '5455330200000016', brand: 'Mastercard', outcome: 'rejected' },
  { number: '4258210000474094', brand: 'Visa', outcome: 'insufficient_funds' },
  { number: '5204230010000012', brand: 'Mastercard', outcome: 'insufficient_funds' },
  { number: '4517720194823929', brand: 'Visa Débito', outcome: 'insufficient_funds' },
];

const findCard = (number: string): TestCard | undefined =>
  testCards.find((one) => one.number === number);

export const outcomeOfCard = (number: string): TestCard['outcome'] =>
  findCard(number)?.outcome ?? 'approved';

/** Returns a test card's kind as its acquirer reports it, or null for other cards. */
function kindOfCard(number: string): CardKind | null {
  const card = findCard(number);
  if (!card) return null;
  return card.brand === 'Visa Débito' ? 'debit' : 'credit';
}

/** Card data in a token: all that the simulator needs, never the number. */
export interface TokenisedCard {
  brand: CardBrand;
  kind: CardKind | null;
  bin: string;
  lastFour: string;
  outcome: TestCard['outcome'];
}

export interface CardToken extends TokenisedCard {
  token: string;
}

// Only letters, so that no run of digits looks like a card number.
const nonce = (): string =>
  [...randomBytes(20)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** Creates a card token, valid for one charge. */
export function tokenise({ number, brand }: { number: string; brand: CardBrand }): CardToken {
  const card = {
    brand,
    kind: kindOfCard(number),
    bin: number.slice(0, 6),
    lastFour: lastFour(number),
    outcome: outcomeOfCard(number),
  };
  const { kind, bin, outcome } = card;
  const parts = [brand, outcome, kind ?? 'any', bin, card.lastFour, nonce()].join('.');
  return { ...card, token: `sim.${parts}` };
}

const tokenShape =
  /^sim\.([a-z]+)\.(approved|insufficient_funds|rejected)\.(credit|debit|any)\.([0-9]{6})\.([0-9]{4})\.[a-z]{20}$/;

/** Returns a token's card, or null if the simulator did not create the token. */
export function cardOfToken(token: string): TokenisedCard | null {
  const [, brand = '', outcome, kind, bin, digits] = tokenShape.exec(token) ?? [];
  if (!isCardBrand(brand) || !bin || !digits) return null;
  return {
    brand,
    outcome: outcome as TestCard['outcome'],
    kind: kind === 'any' ? null : (kind as CardKind),
    bin,
    lastFour: digits,
  };
}
