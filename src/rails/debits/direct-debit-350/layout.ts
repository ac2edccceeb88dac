import {
  amount,
  constant,
  day,
  digits,
  filler,
  fixedRecord,
  identifier,
  label,
  type Mute,
  text,
  unread,
  wholeNumber,
  words,
} from '../../../kernel/fixed-width.ts';
import { clearingCbu, oneOf, orNothing, orSpaces } from '../../files/fields.ts';

/** Author of the file: the collector or the bank. */
type Origin = 'EMPRESA' | 'BANCO  ';

const frame = (type: '0000' | '9999', origin: Origin) =>
  fixedRecord(350, {
    type: constant(type),
    service: identifier(4),
    kind: constant('C'),
    date: day('AAAAMMDD'),
    file: origin === 'EMPRESA' ? constant('3') : unread(1),
    origin: label(origin),
    total: amount(14),
    count: wholeNumber(7),
    rest: origin === 'EMPRESA' ? filler(304, ' ') : unread(304),
  });

export const orderHeader = frame('0000', 'EMPRESA');
export const orderTrailer = frame('9999', 'EMPRESA');
export const answerHeader = frame('0000', 'BANCO  ');
export const answerTrailer = frame('9999', 'BANCO  ');

export const answerTypes = [
  '0370',
  '0360',
  '0371',
  '0310',
  '0383',
  '0362',
  '0384',
  '0365',
  '0386',
] as const;
export type AnswerType = (typeof answerTypes)[number];

export const order = fixedRecord(350, {
  type: constant('0370'),
  customer: text(22),
  cbu: clearingCbu(),
  reference: digits(15),
  due: day('AAAAMMDD'),
  amount: amount(14),
  second_due: filler(22, '0'),
  third_due: filler(22, '0'),
  currency: constant('0'),
  reject_code: filler(3, ' '),
  document_type: digits(4),
  document: digits(11),
  new_customer: filler(22, ' '),
  new_cbu: filler(26, '0'),
  minimum: filler(14, '0'),
  next_due: filler(8, ' '),
  previous_customer: filler(22, ' '),
  message: words(40),
  concept: words(10),
  collected_on: filler(8, ' '),
  collected: filler(14, ' '),
  credited_on: filler(8, ' '),
  rest: filler(26, ' '),
});

const unused = (length: number): Mute => unread(length);

export const answer = fixedRecord(350, {
  type: oneOf(...answerTypes),
  customer: text(22),
  cbu: unused(26),
  reference: text(15),
  due: unused(8),
  amount: amount(14),
  second_due: unused(22),
  third_due: unused(22),
  currency: constant('0'),
  reject_code: orSpaces(text(3)),
  document: unused(15),
  new_customer: unused(22),
  new_cbu: orNothing(text(26)),
  minimum: unused(14),
  next_due: unused(8),
  previous_customer: unused(22),
  message: unused(40),
  concept: unused(10),
  collected_on: orNothing(day('AAAAMMDD')),
  collected: orNothing(amount(14)),
  credited_on: unused(8),
  rest: unused(26),
});
