import { type ParsedCardNumber, parseCardNumber } from '../../kernel/card-number.ts';
import {
  directionControl,
  hasControl,
  isBlank,
  isWellFormed,
  lengthOf,
} from '../../kernel/text.ts';
import type { CardFaults, CardField, FrameResult } from './model.ts';
import { tokenise } from './test-cards.ts';

const longestName = 255;

function isName(text: string): boolean {
  const sound = isWellFormed(text) && !hasControl(text, { lineBreaks: false });
  return (
    sound && directionControl(text) === null && !isBlank(text) && lengthOf(text) <= longestName
  );
}

/**
 * Returns true if month and year are valid, with or without a slash: 0830, 08/30, 8/30, 08/2030,
 * 082030, with spaces or a dash. A card is valid until the end of that month.
 */
function isExpiry(text: string, today: Temporal.PlainDate): boolean {
  const digits = text.replace(/\s/g, '');
  const [, month, year] =
    /^(0[1-9]|1[0-2])((?:20)?[0-9]{2})$/.exec(digits) ??
    /^(0?[1-9]|1[0-2])[/.-]((?:20)?[0-9]{2})$/.exec(digits) ??
    [];
  if (!month || !year) return false;
  const [fullYear, monthNumber] = [(Number(year) % 100) + 2000, Number(month)];
  return fullYear > today.year || (fullYear === today.year && monthNumber >= today.month);
}

function isCode(text: string, card: ParsedCardNumber): boolean {
  if (!/^[0-9]{3,4}$/.test(text)) return false;
  // The brand of an invalid number is unknown.
  return !card.ok || text.length === (card.brand === 'amex' ? 4 : 3);
}

const fieldOf = (body: unknown, name: CardField): string => {
  const value = (Object(body) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
};

/** Returns the typed fields without number and code, which are never shown again. */
export const typedIn = (body: unknown) => ({
  holder: fieldOf(body, 'holder'),
  expiry: fieldOf(body, 'expiry'),
});

/** Validates a card typed in the simulator's form and returns its data. */
export function readCard(
  body: unknown,
  today: Temporal.PlainDate,
): { handed: FrameResult } | { faults: CardFaults } {
  const card = parseCardNumber(fieldOf(body, 'number'));
  const sound: Record<CardField, boolean> = {
    number: card.ok,
    holder: isName(fieldOf(body, 'holder')),
    expiry: isExpiry(fieldOf(body, 'expiry'), today),
    code: isCode(fieldOf(body, 'code'), card),
  };
  const faults = (Object.keys(sound) as CardField[]).filter((name) => !sound[name]);
  if (faults.length > 0 || !card.ok) return { faults };
  const { token, brand, bin, lastFour } = tokenise(card);
  const holder = fieldOf(body, 'holder');
  return { handed: { token, brand, bin, last_four: lastFour, holder_name: holder } };
}
