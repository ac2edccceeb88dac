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

export const header = fixedRecord(96, {
  type: constant('0'),
  entity: identifier(3),
  date: day('AAMMDD'),
  rest: unread(86),
});

export const detail = fixedRecord(96, {
  type: constant('1'),
  debt: unread(5),
  concept: unread(3),
  user: scannedCode(19),
  amount: amount(12),
  paid_on: day('AAMMDD'),
  discretional: unread(50),
});

export const trailer = fixedRecord(96, {
  type: constant('2'),
  count: wholeNumber(6),
  total: amount(16),
  rest: unread(73),
});
