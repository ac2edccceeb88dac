import { type CbuFault, cbuFault } from '../../kernel/cbu.ts';
import { isCuit } from '../../kernel/cuit.ts';
import { email, metadata, prose, reference } from '../../platform/http/fields.ts';
import {
  type Field,
  type Filled,
  fail,
  form,
  optional,
  refuseField,
  required,
} from '../../platform/http/form.ts';

const cbuTexts: Record<CbuFault, string> = {
  format: 'A CBU has 22 digits.',
  'first-check-digit': 'This is not a CBU: the check digit of bank and branch (the 8th) is wrong.',
  'second-check-digit': 'This is not a CBU: the check digit of the account (the 22nd) is wrong.',
  cvu: 'This is a CVU: only the bank accounts of a CBU can be debited.',
};

/** The key of a bank account, check digits verified; spaces and dashes are ignored. */
const cbu: Field<string> = {
  schema: { type: 'string', description: 'CBU: 22 digits, check digits verified' },
  wanted: 'It must be a CBU of 22 digits.',
  parse(value) {
    if (typeof value !== 'string') {
      return fail('A CBU must be sent as a text: as a number it would lose its digits.');
    }
    const digits = value.replace(/[\s-]/g, '');
    const fault = cbuFault(digits);
    return fault ? fail(cbuTexts[fault]) : { ok: true, value: digits };
  },
};

const idWanted = 'It must be a DNI of 7 or 8 digits, or a CUIT or CUIL of 11 digits.';

/** DNI (7 or 8 digits) or CUIT/CUIL (11, verified), as a number or digits. */
const holderId: Field<string> = {
  schema: { anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'DNI, CUIT or CUIL' },
  wanted: idWanted,
  parse(value) {
    const digits =
      typeof value === 'number' && Number.isSafeInteger(value)
        ? String(value)
        : typeof value === 'string'
          ? value.replace(/[.\s-]/g, '')
          : '';
    if (/^[1-9]\d{6,7}$/.test(digits)) return { ok: true, value: digits };
    if (!/^\d{11}$/.test(digits)) return fail(idWanted);
    return isCuit(digits)
      ? { ok: true, value: digits }
      : fail('This is not a CUIT or CUIL: its prefix or its check digit is wrong.');
  },
};

const members = {
  adhesion_holder_name: required(prose({ max: 50 })),
  external_reference: optional(reference()),
  email: required(email()),
  description: required(prose({ max: 255, lineBreaks: true })),
  short_description: required(prose({ max: 50 })),
  cbu_number: required(cbu),
  cbu_holder_name: required(prose({ max: 255 })),
  cbu_holder_id_number: required(holderId),
  metadata: optional(metadata()),
};

/** The body of POST /adhesion. */
export const bankMandateForm = form(members);
export type BankMandateInput = Filled<typeof members>;

export const refuseBankField = refuseField(members);
