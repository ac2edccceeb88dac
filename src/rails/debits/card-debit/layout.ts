import {
  amount,
  constant,
  day,
  digits,
  filler,
  fixedRecord,
  identifier,
  text,
  timeOfDay,
  unread,
  wholeNumber,
} from '../../../kernel/fixed-width.ts';
import { cardNumber, dayFirst, longestCardNumber, oneOf, orNothing } from '../../files/fields.ts';

const processor = constant('900000    ');
const end = constant('*');

/** Transaction codes of a purchase and its refund. */
export const purchase = '0005';
export const refund = '6000';
const transaction = oneOf(purchase, refund);

/** The header constant that identifies an order's product. */
export type OrderConstant = 'DEBLIQC ' | 'DEBLIQD ' | 'DEBLIMC ';
export type AnswerConstant = 'RDEBLIQC' | 'RDEBLIMC' | 'RDEBLIQD' | 'LDEBLIQD';

export const orderHeader = (name: OrderConstant) =>
  fixedRecord(100, {
    type: constant('0'),
    name: constant(name),
    establishment: identifier(10),
    processor,
    date: day('AAAAMMDD'),
    time: timeOfDay(),
    // 0 means unsettled debits.
    kind: constant('0'),
    status: filler(2, ' '),
    rest: filler(55, ' '),
    end,
  });

export const order = fixedRecord(100, {
  type: constant('1'),
  card: cardNumber(),
  unused: filler(3, ' '),
  sequence: wholeNumber(8),
  due: day('AAAAMMDD'),
  transaction: constant(purchase),
  amount: amount(15),
  reference: digits(15),
  // Always "first debit", because each debit has its own reference.
  is_new: constant('E'),
  rest: filler(28, ' '),
  end,
});

export const orderTrailer = (name: OrderConstant) =>
  fixedRecord(100, {
    type: constant('9'),
    name: constant(name),
    establishment: identifier(10),
    processor,
    date: day('AAAAMMDD'),
    time: timeOfDay(),
    count: wholeNumber(7),
    total: amount(15),
    rest: filler(36, ' '),
    end,
  });

/** Builds the header of answers, which swap the columns of establishment and processor. */
export const answerHeader = (length: 300 | 150, name: AnswerConstant) =>
  fixedRecord(length, {
    type: constant('0'),
    name: constant(name),
    processor,
    establishment: identifier(10),
    date: day('AAAAMMDD'),
    time: unread(4),
    rest: unread(length - 42),
    end,
  });

export const answerTrailer = (length: 300 | 150, name: AnswerConstant) =>
  fixedRecord(length, {
    type: constant('9'),
    name: constant(name),
    processor,
    establishment: identifier(10),
    date: day('AAAAMMDD'),
    time: unread(4),
    count: wholeNumber(7),
    total: amount(15),
    rest: unread(length - 64),
    end,
  });

/** A line of RDEBLIQC and RDEBLIMC, about a credit card. */
export const creditAnswer = fixedRecord(300, {
  type: constant('1'),
  bank: unread(3),
  branch: unread(3),
  batch: unread(4),
  transaction,
  space: unread(1),
  establishment: identifier(10),
  card: unread(longestCardNumber),
  sequence: unread(8),
  presented_on: unread(6),
  unused: unread(6),
  amount: amount(15),
  instalment: unread(2),
  fixed: unread(15),
  reference: text(15),
  is_new: unread(1),
  account: unread(10),
  insurance: unread(9),
  decision: text(1),
  code: text(2),
  description: text(29),
  second_code: text(2),
  second_description: text(29),
  unused_too: unread(16),
  new_card: orNothing(text(longestCardNumber)),
  answered_on: orNothing(dayFirst()),
  paid_on: orNothing(dayFirst()),
  portfolio: unread(2),
  rest: unread(61),
  end,
});

/** A line of RDEBLIQD and LDEBLIQD, about a Visa Débito card. */
export const debitAnswer = fixedRecord(150, {
  type: constant('1'),
  card: unread(longestCardNumber),
  spaces: unread(3),
  sequence: unread(8),
  due: unread(8),
  transaction,
  amount: amount(15),
  reference: text(15),
  is_new: unread(1),
  rest: unread(29),
  code: text(3),
  description: text(40),
  unused: unread(6),
  end,
});
