import { cbuFault } from '../../../kernel/cbu.ts';
import type { Field } from '../../../kernel/fixed-width.ts';

/** Bank code in the bank's own CBUs. */
const ownBank = '285';
/** Account types at this bank: current, savings. */
const ownTypes = ['3', '4'];

const checkDigits = '0123456789';
const shape = /^(\d{3})(\d{4})([ 34])0(\d{14})$/;

/**
 * Restores a CBU by trying check digits: the columns omit only the check digit of bank and branch.
 * Returns null if none fits.
 */
function cbuOf(bank: string, branch: string, second: string): string | null {
  const all = [...checkDigits].map((digit) => `${bank}${branch}${digit}${second}`);
  return all.find((cbu) => cbuFault(cbu) === null) ?? null;
}

const typeOf = (cbu: string): string => {
  const [type = ' '] = cbu.slice(8, 9);
  return cbu.startsWith(ownBank) && ownTypes.includes(type) ? type : ' ';
};

/**
 * A CBU in four columns: bank (3), branch (4), account type (1) and account (15, a 0 and the CBU's
 * second block). The type is set only for this bank's own accounts, to the first digit of the
 * second block.
 */
export const accountColumns = (): Field<string> => {
  const expected = 'bank, branch, type and account of a CBU';
  return {
    length: 23,
    expected,
    encode(cbu) {
      if (cbuFault(cbu) !== null) throw new RangeError(`"${cbu}" is not a CBU.`);
      return `${cbu.slice(0, 7)}${typeOf(cbu)}0${cbu.slice(8)}`;
    },
    decode(text) {
      const [, bank = '', branch = '', , second = ''] = shape.exec(text) ?? [];
      const cbu = cbuOf(bank, branch, second);
      return cbu === null ? null : { value: cbu };
    },
  };
};

const newShape = /^(\d{4})[ 34]0(\d{14})$/;

/**
 * Returns the CBU of a customer's new account at the same bank, or null if it is invalid. `before`
 * begins with the bank code; `now` contains branch, type and account.
 */
export function cbuOfNewAccount(before: string, now: string): string | null {
  const [, branch = '', second = ''] = newShape.exec(now) ?? [];
  return cbuOf(before.slice(0, 3), branch, second);
}
