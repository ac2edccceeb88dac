import {
  amount,
  constant,
  day,
  digits,
  filler,
  fixedRecord,
  identifier,
  text,
  unread,
} from '../../../kernel/fixed-width.ts';
import { orNothing } from '../../files/fields.ts';
import { accountColumns } from './account.ts';

const pesos = '080';

/** `01`: the collector's orders. `03`: the bank's answers. */
type Movement = '01' | '03';

const headerOf = (movement: Movement) =>
  fixedRecord(220, {
    type: constant('1'),
    agreement: identifier(5),
    service: text(10),
    salaries: movement === '01' ? filler(5, '0') : unread(5),
    date: day('AAAAMMDD'),
    total: amount(18),
    currency: constant(pesos),
    movement: constant(movement),
    figures: movement === '01' ? filler(98, '0') : unread(98),
    unused: movement === '01' ? filler(69, ' ') : unread(69),
    end: movement === '01' ? constant('0') : unread(1),
  });

export const orderHeader = headerOf('01');
export const answerHeader = headerOf('03');

export const order = fixedRecord(220, {
  type: constant('0'),
  agreement: identifier(5),
  service: text(10),
  salaries: filler(5, '0'),
  account: accountColumns(),
  customer: text(22),
  reference: digits(15),
  function: filler(2, ' '),
  reject_code: filler(4, ' '),
  due: day('AAAAMMDD'),
  currency: constant(pesos),
  amount: amount(13),
  retry_until: filler(8, '0'),
  debited: filler(13, '0'),
  new_account: filler(20, '0'),
  new_customer: filler(22, ' '),
  returned: filler(40, ' '),
  unused: filler(5, ' '),
  end: constant('0'),
});

export const answer = fixedRecord(220, {
  type: constant('0'),
  agreement: identifier(5),
  service: text(10),
  salaries: unread(5),
  account: text(23),
  customer: text(22),
  reference: text(15),
  function: unread(2),
  reject_code: text(4),
  due: orNothing(day('AAAAMMDD')),
  currency: constant(pesos),
  amount: amount(13),
  retry_until: unread(8),
  debited: orNothing(amount(13)),
  new_account: text(20),
  new_customer: unread(22),
  returned: unread(40),
  unused: unread(5),
  end: unread(1),
});
