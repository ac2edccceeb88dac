import { cuitFault } from '../../kernel/cuit.ts';
import { parseDayOrIso } from '../../kernel/dates.ts';
import { hasControl, isBlank, lengthOf } from '../../kernel/text.ts';

/** The columns of a register file, by the names of its first line. */
export const rateColumns = [
  'cuit',
  'regime',
  'jurisdiction',
  'rate',
  'valid_from',
  'valid_to',
] as const;

type Column = (typeof rateColumns)[number];

/** What is wrong with a line: what stood there, and what is allowed. */
export interface LineFault {
  line: number;
  column: Column | null;
  stood: string;
  rule: string;
}

/** A line that is right: the texts of its columns, as COPY takes them. */
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
const rules = {
  cuit: 'must be a CUIT of 11 digits with a right check digit, dashes allowed',
  regime: `must be a text of 1 to ${most} characters`,
  jurisdiction: `must be a text of 1 to ${most} characters`,
  rate: 'must be a percentage from 0 to 100 with at most 4 decimals after a point, like 2.5',
  valid_from: 'must be a day, dd-mm-yyyy or yyyy-mm-dd',
  valid_to: 'must be a day not before valid_from, dd-mm-yyyy or yyyy-mm-dd, or empty: no end',
} as const satisfies Record<Column, string>;

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

/** A register has few different days and a million lines. */
const seenDays = new Map<string, string | null>();
const mostSeenDays = 10_000;

/** The day as yyyy-mm-dd, or null. */
function isoDayOf(text: string): string | null {
  const seen = seenDays.get(text);
  if (seen !== undefined) return seen;
  const day = parseDayOrIso(text)?.toString() ?? null;
  if (seenDays.size < mostSeenDays) seenDays.set(text, day);
  return day;
}

/** Reads the fields of a line; a text says which column is wrong. */
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

/** Reads one line of a register file, or says what is wrong with it. */
export function readLine(fields: readonly string[], line: number): RateLine | LineFault {
  if (fields.length !== rateColumns.length) {
    const rule = `must have the ${rateColumns.length} columns ${rateColumns.join(', ')}`;
    return { line, column: null, stood: `${fields.length} columns`, rule };
  }
  const read = lineOf(fields);
  if (typeof read !== 'string') return read;
  const stood = fields[rateColumns.indexOf(read)] ?? '';
  return { line, column: read, stood, rule: rules[read] };
}

export const isFault = (read: RateLine | LineFault): read is LineFault => 'rule' in read;

const mostShown = 40;

export function faultText({ line, column, stood, rule }: LineFault): string {
  const place = column === null ? `line ${line}` : `line ${line}, ${column}`;
  const shown = stood.length > mostShown ? `${stood.slice(0, mostShown)}…` : stood;
  return `${place}: ${JSON.stringify(shown)} ${rule}`;
}
