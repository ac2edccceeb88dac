import {
  amount,
  constant,
  day,
  filler,
  fixedRecord,
  identifier,
  orZeros,
  text,
  wholeNumber,
  words,
} from '../../../kernel/fixed-width.ts';

export const header = fixedRecord(280, {
  type: constant('0'),
  network: constant('400'),
  company: identifier(4),
  date: day('AAAAMMDD'),
  rest: filler(264, '0'),
});

export const detail = fixedRecord(280, {
  type: constant('5'),
  reference: text(19),
  invoice: text(20),
  currency: constant('0'),
  first_due: day('AAAAMMDD'),
  first_total: amount(11),
  second_due: orZeros(day('AAAAMMDD')),
  second_total: orZeros(amount(11)),
  third_due: filler(8, '0'),
  third_total: filler(11, '0'),
  unused: filler(19, '0'),
  previous_reference: text(19),
  ticket_message: words(40),
  screen_message: words(15),
  barcode: text(60),
  rest: filler(29, '0'),
});

export const trailer = fixedRecord(280, {
  type: constant('9'),
  network: constant('400'),
  company: identifier(4),
  date: day('AAAAMMDD'),
  count: wholeNumber(7),
  other_currency_count: filler(7, '0'),
  total: amount(11),
  rest: filler(239, '0'),
});
