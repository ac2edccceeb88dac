/** Test cards and their behavior, modeled on the acquirer's public ones. */

export type Behavior =
  | { does: 'approve' }
  /** Refused with a reason of the acquirer's table. */
  | { does: 'refuse'; type: string; reason: number; text: string }
  /** Answers after a long delay. */
  | { does: 'be_slow' }
  /** Books, then drops the connection; `hidden` delays its appearance in the search. */
  | { does: 'lose_the_answer'; hidden: boolean }
  /** Books, then sends an unreadable answer. */
  | { does: 'answer_nonsense'; status: number; body: string }
  /** 3-D Secure: a hidden step, then a visible one if `challenge` is set. */
  | { does: 'authenticate'; challenge: boolean }
  /** Reviewed, then approved. */
  | { does: 'review' };

export interface Brand {
  name: string;
  /** Payment methods of the acquirer that accept the card. */
  methods: readonly number[];
}

const brands: readonly { pattern: RegExp; brand: Brand }[] = [
  { pattern: /^(487017|520053|546553)/, brand: { name: 'Nativa', methods: [42] } },
  { pattern: /^603493/, brand: { name: 'Cencosud', methods: [43] } },
  { pattern: /^504656/, brand: { name: 'Patagonia 365', methods: [55] } },
  { pattern: /^588800/, brand: { name: 'Tuya', methods: [59] } },
  { pattern: /^504408/, brand: { name: 'Favacard', methods: [103] } },
  { pattern: /^451772/, brand: { name: 'Visa Débito', methods: [31] } },
  { pattern: /^4/, brand: { name: 'Visa', methods: [1] } },
  { pattern: /^(5896|6042|6043|603522|650272)/, brand: { name: 'Cabal', methods: [63, 108] } },
  { pattern: /^589562/, brand: { name: 'Naranja', methods: [24] } },
  { pattern: /^3[47]/, brand: { name: 'Amex', methods: [65, 111] } },
  { pattern: /^3(0[0-5]|6|8)/, brand: { name: 'Diners', methods: [8] } },
  { pattern: /^(50|58|6)/, brand: { name: 'Maestro', methods: [106] } },
  { pattern: /^(5[1-5]|2[2-7])/, brand: { name: 'Mastercard', methods: [104, 105] } },
];

export const brandOf = (number: string): Brand | null =>
  brands.find(({ pattern }) => pattern.test(number))?.brand ?? null;

const refused: Readonly<Record<string, { type: string; reason: number; text: string }>> = {
  '4000300011112220': { type: 'card_declined', reason: 5, text: 'DENEGADA' },
  '4546400044997331': { type: 'card_declined', reason: 5, text: 'DENEGADA' },
  '5455330200000016': { type: 'card_declined', reason: 5, text: 'DENEGADA' },
  '4258210000474094': { type: 'insufficient_amount', reason: 51, text: 'FONDOS INSUFICIENTES' },
  '5204230010000012': { type: 'insufficient_amount', reason: 51, text: 'FONDOS INSUFICIENTES' },
};

/** `4507 9901 0RRR 000c` is refused with the reason RRR. */
const anyReason = /^450799010(\d{3})000\d$/;
/** `4507 9902 KK00 000c` does what KK says. */
const special = /^45079902(\d{2})00000\d$/;

const specials: Readonly<Record<string, Behavior>> = {
  '01': { does: 'be_slow' },
  '02': { does: 'lose_the_answer', hidden: false },
  '03': { does: 'lose_the_answer', hidden: true },
  '04': { does: 'authenticate', challenge: true },
  '05': { does: 'authenticate', challenge: false },
  '06': { does: 'review' },
  '07': { does: 'answer_nonsense', status: 400, body: '<html>Bad Request</html>' },
  '08': { does: 'answer_nonsense', status: 502, body: '<html>Bad Gateway</html>' },
};

export function behaviorOf(number: string): Behavior {
  const known = refused[number];
  if (known) return { does: 'refuse', ...known };
  const reason = anyReason.exec(number)?.[1];
  if (reason !== undefined) {
    const text = `MOTIVO ${Number(reason)}`;
    return { does: 'refuse', type: 'processing_error', reason: Number(reason), text };
  }
  return specials[special.exec(number)?.[1] ?? ''] ?? { does: 'approve' };
}

export function isLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
