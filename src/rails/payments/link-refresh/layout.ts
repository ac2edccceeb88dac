import {
  amount,
  constant,
  day,
  digits,
  filler,
  fixedRecord,
  identifier,
  orZeros,
  text,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';

/** The Refresh, which lists payable requests. */
export const header = fixedRecord(131, {
  mark: constant('HRFACTURACION'),
  entity: identifier(3),
  date: day('AAMMDD'),
  lot: wholeNumber(5),
  rest: filler(104, ' '),
});

export const detail = fixedRecord(131, {
  debt: digits(5),
  concept: constant('001'),
  user: digits(19),
  first_due: day('AAMMDD'),
  first_total: amount(12),
  second_due: orZeros(day('AAMMDD')),
  second_total: orZeros(amount(12)),
  third_due: filler(6, '0'),
  third_total: filler(12, '0'),
  discretional: filler(50, ' '),
});

export const trailer = fixedRecord(131, {
  mark: constant('TRFACTURACION'),
  count: wholeNumber(8),
  first_total: amount(18),
  second_total: amount(18),
  third_total: filler(18, '0'),
  rest: filler(56, ' '),
});

/** The control file, with the sums of the Refresh. */
export const controlHeader = fixedRecord(75, {
  mark: constant('HRPASCTRL'),
  date: day('AAAAMMDD'),
  entity: identifier(3),
  refresh: text(8),
  bytes: wholeNumber(10),
  rest: filler(37, ' '),
});

export const controlLot = fixedRecord(75, {
  mark: constant('LOTES'),
  lot: wholeNumber(5),
  count: wholeNumber(8),
  first_total: amount(18),
  second_total: amount(18),
  third_total: filler(18, '0'),
  rest: filler(3, ' '),
});

export const controlEnd = fixedRecord(75, {
  mark: constant('FINAL'),
  count: wholeNumber(8),
  first_total: amount(18),
  second_total: amount(18),
  third_total: filler(18, '0'),
  latest_due: orZeros(day('AAAAMMDD')),
});
