import {
  amount,
  constant,
  day,
  digits,
  fixedRecord,
  scannedCode,
  timeOfDay,
  unread,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';
import { orNothing } from '../../files/fields.ts';

export const fileHeader = fixedRecord(128, {
  type: constant('1'),
  date: day('AAAAMMDD'),
  origin: unread(25),
  client: digits(9),
  client_name: unread(35),
  rest: unread(50),
});

export const batchHeader = fixedRecord(128, {
  type: constant('3'),
  date: unread(8),
  batch: wholeNumber(6),
  description: unread(35),
  rest: unread(78),
});

export const payment = fixedRecord(128, {
  type: constant('5'),
  sequence: wholeNumber(5),
  transaction: unread(2),
  worked_on: unread(8),
  transferred_on: unread(8),
  account: unread(21),
  currency: unread(3),
  amount: amount(10),
  terminal: unread(6),
  paid_on: day('AAAAMMDD'),
  paid_at: orNothing(timeOfDay()),
  terminal_sequence: unread(4),
  rest: unread(48),
});

export const barcode = fixedRecord(128, {
  type: constant('6'),
  barcode: scannedCode(80),
  symbology: unread(1),
  rest: unread(46),
});

export const instrument = fixedRecord(128, { type: constant('7'), rest: unread(127) });

export const batchTrailer = fixedRecord(128, {
  type: constant('8'),
  date: unread(8),
  batch: wholeNumber(6),
  count: wholeNumber(7),
  total: amount(12),
  rest: unread(94),
});

export const fileTrailer = fixedRecord(128, {
  type: constant('9'),
  date: unread(8),
  batches: wholeNumber(6),
  count: wholeNumber(7),
  total: amount(12),
  rest: unread(94),
});
