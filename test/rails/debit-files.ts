/**
 * Files of banks and card processors, written from the descriptions of their columns, without the
 * service's own layouts.
 */
export const zeros = (value: number | string, length: number): string =>
  String(value).padStart(length, '0');
export const spaces = (text: string, length: number): string => text.padEnd(length, ' ');

/** Returns a blank line of `length` columns with texts at their first columns, counted from 1. */
export function lineOf(length: number, parts: Record<number, string>, blank = ' '): string {
  let line = blank.repeat(length);
  for (const [from, text] of Object.entries(parts)) {
    const at = Number(from) - 1;
    line = line.slice(0, at) + text + line.slice(at + text.length);
  }
  if (line.length !== length) throw new Error(`a line of ${line.length}, not ${length}`);
  return line;
}

export interface BankAnswer {
  /** Record type: 0370 done, 0360 rejected, and so on. */
  type?: string;
  customer?: string;
  cbu?: string;
  reference?: string;
  /** AAAAMMDD */
  due?: string;
  /** Centavos. */
  amount?: number;
  code?: string;
  newCbu?: string;
  collectedOn?: string;
  collected?: number;
}

const clearing = (cbu: string): string => `0${cbu.slice(0, 8)}000${cbu.slice(8)}`;
export const someCbu = '0110599500000123456784';
export const otherCbu = '2850590940090418135201';

const sum = (items: { amount?: number }[]): number =>
  items.reduce((all, one) => all + (one.amount ?? 0), 0);

export function bank350Lines(
  date: string,
  items: BankAnswer[],
  { service = '0515', origin = 'BANCO  ' } = {},
): string[] {
  const tail = `${service}C${date}3${origin}${zeros(sum(items), 14)}${zeros(items.length, 7)}`;
  return [
    spaces(`0000${tail}`, 350),
    ...items.map((one) =>
      lineOf(350, {
        1: one.type ?? '0370',
        5: spaces(one.customer ?? '', 22),
        27: one.cbu === undefined ? zeros(0, 26) : clearing(one.cbu),
        53: spaces(one.reference ?? '', 15),
        68: one.due ?? '00000000',
        76: zeros(one.amount ?? 0, 14),
        90: zeros(0, 44),
        134: '0',
        135: spaces(one.code ?? '', 3),
        138: zeros(0, 15),
        175: one.newCbu === undefined ? zeros(0, 26) : clearing(one.newCbu),
        295: one.collectedOn ?? '00000000',
        303: zeros(one.collected ?? 0, 14),
      }),
    ),
    spaces(`9999${tail}`, 350),
  ];
}

export interface MacroAnswer {
  customer?: string;
  reference: string;
  cbu?: string;
  /** AAAAMMDD */
  due: string;
  amount: number;
  debited?: number;
  code?: string;
  newCbu?: string;
}

/** Returns branch, account type and account in the format of the 220-character file. */
const account220 = (cbu: string): string => `${cbu.slice(3, 7)} 0${cbu.slice(8)}`;

export function macro220Lines(
  date: string,
  items: MacroAnswer[],
  { agreement = '00515', service = '' } = {},
): string[] {
  const collector = `${agreement}${spaces(service, 10)}00000`;
  return [
    lineOf(220, {
      1: `1${collector}${date}${zeros(sum(items), 18)}08003`,
      53: zeros(0, 98),
      220: '0',
    }),
    ...items.map((one) =>
      lineOf(220, {
        1: `0${collector}`,
        22: `${(one.cbu ?? someCbu).slice(0, 3)}${account220(one.cbu ?? someCbu)}`,
        45: spaces(one.customer ?? '', 22),
        67: spaces(one.reference, 15),
        84: spaces(one.code ?? '', 4),
        88: one.due,
        96: `080${zeros(one.amount, 13)}`,
        112: '00000000',
        120: zeros(one.debited ?? (one.code ? 0 : one.amount), 13),
        133: one.newCbu === undefined ? zeros(0, 20) : account220(one.newCbu),
        220: '0',
      }),
    ),
  ];
}

export interface CardAnswer {
  card: string;
  reference: string;
  amount: number;
  /** 0005 purchase, 6000 refund. */
  transaction?: string;
  /** Rejection code: two characters in the file of 300, three in that of 150. */
  code?: string;
  text?: string;
  newCard?: string;
  /** DDMMAA */
  answeredOn?: string;
  paidOn?: string;
}

const envelope = (
  length: number,
  name: string,
  { date, establishment, items }: { date: string; establishment: string; items: CardAnswer[] },
) => {
  const tail = `${name}900000    ${establishment}${date}0930`;
  return {
    head: lineOf(length, { 1: `0${tail}`, [length]: '*' }),
    trailer: lineOf(length, {
      1: `9${tail}${zeros(items.length, 7)}${zeros(sum(items), 15)}`,
      [length]: '*',
    }),
  };
};

const shortDay = (date: string): string => `${date.slice(6)}${date.slice(4, 6)}${date.slice(2, 4)}`;

/** Answer file for credit cards: RDEBLIQC for Visa, RDEBLIMC for Mastercard. */
export function credit300Lines(
  date: string,
  items: CardAnswer[],
  { name = 'RDEBLIQC', establishment = '0000000515' } = {},
): string[] {
  const { head, trailer } = envelope(300, name, { date, establishment, items });
  return [
    head,
    ...items.map((one, index) =>
      lineOf(300, {
        1: `1007${zeros(12, 3)}0001${one.transaction ?? '0005'} ${establishment}`,
        27: zeros(one.card, 16),
        43: zeros(index + 1, 8),
        51: shortDay(date),
        63: zeros(one.amount, 15),
        78: zeros(0, 17),
        95: spaces(one.reference, 15),
        110: 'E',
        111: zeros(0, 10),
        130: one.code === undefined ? '0' : '1',
        131: spaces(one.code ?? '', 2),
        133: spaces(one.text ?? '', 29),
        209: one.newCard === undefined ? spaces('', 16) : zeros(one.newCard, 16),
        225: one.answeredOn ?? shortDay(date),
        231: one.paidOn ?? spaces('', 6),
        300: '*',
      }),
    ),
    trailer,
  ];
}

/** Answer file for debit cards: RDEBLIQD or LDEBLIQD. */
export function debit150Lines(
  date: string,
  items: CardAnswer[],
  { name = 'LDEBLIQD', establishment = '0000000515' } = {},
): string[] {
  const { head, trailer } = envelope(150, name, { date, establishment, items });
  return [
    head,
    ...items.map((one, index) =>
      lineOf(150, {
        1: `1${zeros(one.card, 16)}   ${zeros(index + 1, 8)}${date}${one.transaction ?? '0005'}`,
        41: `${zeros(one.amount, 15)}${spaces(one.reference, 15)}E`,
        101: spaces(one.code ?? '', 3),
        104: spaces(one.text ?? '', 40),
        150: '*',
      }),
    ),
    trailer,
  ];
}
