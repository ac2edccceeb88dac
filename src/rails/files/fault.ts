import type { FixedRecord, Layout, RecordFault, ValuesOf } from '../../kernel/fixed-width.ts';
import { Refusal } from '../../platform/errors.ts';

/** A line that says what it must not. Who reads the file knows its number. */
export class LineFault extends Error {
  readonly fault: RecordFault;

  constructor(fault: RecordFault) {
    super(`${JSON.stringify(fault.found)} instead of ${fault.expected}`);
    this.name = 'LineFault';
    this.fault = fault;
  }
}

/** A fault of the line as a whole: one that stands in the wrong place, or is missing. */
export const misplaced = (found: string, expected: string): LineFault =>
  new LineFault({ from: 1, to: Math.max(found.length, 1), field: null, found, expected });

/** Reads a line as a record of its layout. */
export function decodeLine<L extends Layout>(record: FixedRecord<L>, line: string): ValuesOf<L> {
  const decoded = record.decode(line);
  if (!decoded.ok) throw new LineFault(decoded.fault);
  return decoded.values;
}

/** Refuses a field that can be read and says the wrong thing. */
export type RefuseField<L extends Layout> = (field: keyof L & string, expected: string) => never;

export const refuseFields =
  <L extends Layout>(record: FixedRecord<L>, line: string): RefuseField<L> =>
  (field, expected) => {
    throw new LineFault(record.faultAt(field, line, expected));
  };

const longestShown = 80;

/** The sentence for the operator: where, what stood there, what is allowed. */
export function lineRefusal(file: string, no: number, { fault }: LineFault): Refusal {
  const { from, to, field, found, expected } = fault;
  const columns = field === null ? '' : `, columns ${from}-${to} (${field})`;
  const shown = JSON.stringify(found.slice(0, longestShown));
  return new Refusal(
    'invalid',
    `${file}, line ${no}${columns}: found ${shown}, expected ${expected}. Nothing was imported.`,
  );
}
