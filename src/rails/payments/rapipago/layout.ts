import {
  amount,
  constant,
  day,
  fixedRecord,
  label,
  scannedCode,
  text,
  unread,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';

export const headerMark = '00000000';
export const trailerMark = '99999999';

export const header = fixedRecord(73, {
  mark: constant(headerMark),
  company: text(20),
  date: day('AAAAMMDD'),
  content: label('COBRANZAS   RAPIPAGO'),
  rest: unread(17),
});

const detailOf = (barcode: number) =>
  fixedRecord(23 + barcode, {
    paid_on: day('AAAAMMDD'),
    amount: amount(15),
    barcode: scannedCode(barcode),
  });

export const detail = detailOf(50);
/** A barcode longer than its columns extends past the record's end. */
const longDetails = [detailOf(56), detailOf(59)];

/** Returns a detail's layout by the line's length. */
export const detailFor = (line: string) =>
  longDetails.find(({ length }) => length === line.length) ?? detail;

export const trailer = fixedRecord(73, {
  mark: constant(trailerMark),
  count: wholeNumber(8),
  total: amount(18),
  rest: unread(39),
});
