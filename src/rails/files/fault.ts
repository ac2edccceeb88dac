import type { DecodedRecord, FixedRecord, Layout, RecordFault } from '../../kernel/fixed-width.ts';
import { type Centavos, centavos, decimalText, plus } from '../../kernel/money.ts';
import type { Refusal } from '../../platform/errors.ts';
import { refusal } from '../codes.ts';

/** A fault in a line. The file reader adds the line number. */
export class LineFault extends Error {
  readonly fault: RecordFault;

  constructor(fault: RecordFault) {
    super(`${JSON.stringify(fault.found)} instead of ${fault.expected}`);
    this.name = 'LineFault';
    this.fault = fault;
  }
}

/** Returns the fault of a misplaced or missing line. */
export const misplaced = (found: string, expected: string): LineFault =>
  new LineFault({ from: 1, to: Math.max(found.length, 1), field: null, found, expected });

/**
 * Adds an amount to a sum. Rejects the line at which the sum exceeds exact integers, since no
 * trailer could be compared with it.
 */
export function counted(sum: Centavos, amount: Centavos): Centavos {
  if (Number.isSafeInteger(sum + amount)) return plus(sum, amount);
  const most = decimalText(centavos(Number.MAX_SAFE_INTEGER));
  throw new LineFault({
    from: 1,
    to: 1,
    field: null,
    found: decimalText(amount),
    expected: `amounts that add up to at most ${most}`,
  });
}

export function decodeLine<Values>(
  record: { decode(line: string): DecodedRecord<Values> },
  line: string,
): Values {
  const decoded = record.decode(line);
  if (!decoded.ok) throw new LineFault(decoded.fault);
  return decoded.values;
}

/** Rejects a well-formed field with a wrong value. */
export type RefuseField<L extends Layout> = (field: keyof L & string, expected: string) => never;

export const refuseFields =
  <L extends Layout>(record: FixedRecord<L>, line: string): RefuseField<L> =>
  (field, expected) => {
    throw new LineFault(record.faultAt(field, line, expected));
  };

const maxQuotedLength = 80;

/** Describes a fault: position, text found, and allowed values. */
export function lineRefusal(file: string, no: number, { fault }: LineFault): Refusal {
  const { from, to, field, expected } = fault;
  return refusal('file.wrong_line', {
    file,
    line: no,
    columns: field === null ? 'no' : 'yes',
    from,
    to,
    field: field ?? '',
    found: JSON.stringify(fault.found.slice(0, maxQuotedLength)),
    expected,
  });
}
