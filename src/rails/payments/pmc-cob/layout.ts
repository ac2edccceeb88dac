import {
  amount,
  constant,
  day,
  fixedRecord,
  identifier,
  scannedCode,
  unread,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';

export const header = fixedRecord(100, {
  type: constant('0'),
  network: constant('400'),
  company: identifier(4),
  date: day('AAAAMMDD'),
  rest: unread(84),
});

export const detail = fixedRecord(100, {
  type: constant('5'),
  reference: scannedCode(19),
  invoice: unread(20),
  first_due: unread(8),
  currency: constant('0'),
  paid_on: day('AAAAMMDD'),
  amount: amount(11),
  movement: unread(1),
  credited_on: day('AAAAMMDD'),
  channel: unread(2),
  control: unread(4),
  province: unread(3),
  rest: unread(14),
});

export const trailer = fixedRecord(100, {
  type: constant('9'),
  network: constant('400'),
  company: identifier(4),
  date: day('AAAAMMDD'),
  count: wholeNumber(7),
  other_currency_count: unread(7),
  total: amount(11),
  other_currency_total: unread(11),
  rest: unread(48),
});
