import {
  amount,
  constant,
  day,
  digits,
  fixedRecord,
  orZeros,
  text,
  unread,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';

export const header = fixedRecord(100, {
  type: constant('0'),
  network: constant('400'),
  company: digits(4),
  date: day('AAAAMMDD'),
  rest: unread(84),
});

export const detail = fixedRecord(100, {
  type: constant('5'),
  reference: text(19),
  invoice: text(20),
  first_due: orZeros(day('AAAAMMDD')),
  currency: constant('0'),
  paid_on: day('AAAAMMDD'),
  amount: amount(11),
  movement: digits(1),
  credited_on: day('AAAAMMDD'),
  channel: text(2),
  control: text(4),
  province: text(3),
  rest: unread(14),
});

export const trailer = fixedRecord(100, {
  type: constant('9'),
  network: constant('400'),
  company: digits(4),
  date: day('AAAAMMDD'),
  count: wholeNumber(7),
  other_currency_count: unread(7),
  total: amount(11),
  other_currency_total: unread(11),
  rest: unread(48),
});
