import {
  amount,
  constant,
  day,
  digits,
  fixedRecord,
  text,
  timeOfDay,
  unread,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';

export const fileHeader = fixedRecord(128, {
  type: constant('1'),
  date: day('AAAAMMDD'),
  origin: text(25),
  client: digits(9),
  client_name: text(35),
  rest: unread(50),
});

export const batchHeader = fixedRecord(128, {
  type: constant('3'),
  date: day('AAAAMMDD'),
  batch: wholeNumber(6),
  description: text(35),
  rest: unread(78),
});

export const payment = fixedRecord(128, {
  type: constant('5'),
  sequence: wholeNumber(5),
  transaction: text(2),
  worked_on: day('AAAAMMDD'),
  transferred_on: day('AAAAMMDD'),
  account: text(21),
  currency: text(3),
  amount: amount(10),
  terminal: text(6),
  paid_on: day('AAAAMMDD'),
  paid_at: timeOfDay(),
  terminal_sequence: text(4),
  rest: unread(48),
});

export const barcode = fixedRecord(128, {
  type: constant('6'),
  barcode: text(80),
  symbology: text(1),
  rest: unread(46),
});

export const instrument = fixedRecord(128, {
  type: constant('7'),
  currency: text(3),
  instrument: text(1),
  cheque: text(80),
  amount: amount(15),
  rest: unread(28),
});

export const batchTrailer = fixedRecord(128, {
  type: constant('8'),
  date: day('AAAAMMDD'),
  batch: wholeNumber(6),
  count: wholeNumber(7),
  total: amount(12),
  rest: unread(94),
});

export const fileTrailer = fixedRecord(128, {
  type: constant('9'),
  date: day('AAAAMMDD'),
  batches: wholeNumber(6),
  count: wholeNumber(7),
  total: amount(12),
  rest: unread(94),
});
