import { cuitFault } from '../../kernel/cuit.ts';
import { parseDayOrIso } from '../../kernel/dates.ts';
import { hasControl, isBlank, lengthOf } from '../../kernel/text.ts';
import { LocalizedText } from '../../language/localized-text.ts';
import { fault } from './codes.ts';

/** Columns of a register file, as in its first line. */
export const rateColumns = [
  'cuit',
  'regime',
  'jurisdiction',
  'rate',
  'valid_from',
  'valid_to',
] as const;

type Column = (typeof rateColumns)[number];

export interface RateLine {
  cuit: string;
  regime: string;
  jurisdiction: string;
  ratePpm: number;
  /** yyyy-mm-dd */
  validFrom: string;
  validTo: string | null;
}

const most = 60;
const name = (line: number, column: Column, stood: string): LocalizedText =>
  fault('register.name', { line, column, stood, most });

const faults: Readonly<Record<Column, (line: number, stood: string) => LocalizedText>> = {
  cuit: (line, stood) => fault('register.cuit', { line, stood }),
  regime: (line, stood) => name(line, 'regime', stood),
  jurisdiction: (line, stood) => name(line, 'jurisdiction', stood),
  rate: (line, stood) => fault('register.rate', { line, stood }),
  valid_from: (line, stood) => fault('register.valid_from', { line, stood }),
  valid_to: (line, stood) => fault('register.valid_to', { line, stood }),
};

const isName = (text: string): boolean =>
  !isBlank(text) &&
  lengthOf(text) <= most &&
  !hasControl(text, { lineBreaks: false }) &&
  !text.includes('\ufffd');

function ratePpmOf(text: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text);
  if (!match) return null;
  const ppm = Number(`${match[1]}${(match[2] ?? '').padEnd(4, '0')}`);
  return ppm <= 1_000_000 ? ppm : null;
}

/** Caches days, because a register may contain a million lines, but few distinct days. */
const seenDays = new Map<string, string | null>();
const mostSeenDays = 10_000;

/** Returns a day as yyyy-mm-dd, or null if it is not one. */
function isoDayOf(text: string): string | null {
  const seen = seenDays.get(text);
  if (seen !== undefined) return seen;
  const day = parseDayOrIso(text)?.toString() ?? null;
  if (seenDays.size < mostSeenDays) seenDays.set(text, day);
  return day;
}

/** Parses a line's fields. Returns the first faulty column if there is one. */
function lineOf(fields: readonly string[]): RateLine | Column {
  const [cuit = '', regime = '', jurisdiction = '', rate = '', from = '', to = ''] = fields;
  const digits = cuit.replaceAll('-', '');
  if (cuitFault(digits) !== null) return 'cuit';
  if (!isName(regime)) return 'regime';
  if (!isName(jurisdiction)) return 'jurisdiction';
  const ratePpm = ratePpmOf(rate);
  if (ratePpm === null) return 'rate';
  const validFrom = isoDayOf(from);
  if (validFrom === null) return 'valid_from';
  const validTo = to === '' ? null : isoDayOf(to);
  if (to !== '' && (validTo === null || validTo < validFrom)) return 'valid_to';
  return { cuit: digits, regime, jurisdiction, ratePpm, validFrom, validTo };
}

const maxQuotedLength = 40;

/** Quotes a value for a fault, cut to 40 characters. */
export const quoted = (stood: string): string =>
  JSON.stringify(stood.length > maxQuotedLength ? `${stood.slice(0, maxQuotedLength)}…` : stood);

/** Parses a line of a register file, or returns its fault. */
export function readLine(fields: readonly string[], line: number): RateLine | LocalizedText {
  if (fields.length !== rateColumns.length) {
    const columns = rateColumns.join(', ');
    return fault('register.columns', { line, count: fields.length, columns });
  }
  const read = lineOf(fields);
  if (typeof read !== 'string') return read;
  return faults[read](line, quoted(fields[rateColumns.indexOf(read)] ?? ''));
}

export const isFault = (read: RateLine | LocalizedText): read is LocalizedText =>
  read instanceof LocalizedText;
