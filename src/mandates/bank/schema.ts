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
import { fault } from '../codes.ts';

const cbuCodes = {
  format: 'adhesion.cbu_length',
  'first-check-digit': 'adhesion.cbu_bank_check_digit',
  'second-check-digit': 'adhesion.cbu_account_check_digit',
  cvu: 'adhesion.cbu_is_cvu',
} as const satisfies Record<CbuFault, string>;

/** A CBU with valid check digits. Ignores spaces and dashes. */
const cbu: Field<string> = {
  schema: { type: 'string', description: 'CBU: 22 digits, check digits verified' },
  expectation: fault('adhesion.cbu_length', {}),
  parse(value) {
    if (typeof value !== 'string') return fail(fault('adhesion.cbu_not_text', {}));
    const digits = value.replace(/[\s-]/g, '');
    const found = cbuFault(digits);
    return found ? fail(fault(cbuCodes[found], {})) : { ok: true, value: digits };
  },
};

/** DNI (7 or 8 digits) or CUIT/CUIL (11 digits, check digit verified), as a number or a string. */
const holderId: Field<string> = {
  schema: { anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'DNI, CUIT or CUIL' },
  expectation: fault('adhesion.holder_id_malformed', {}),
  parse(value) {
    const digits =
      typeof value === 'number' && Number.isSafeInteger(value)
        ? String(value)
        : typeof value === 'string'
          ? value.replace(/[.\s-]/g, '')
          : '';
    if (/^[1-9]\d{6,7}$/.test(digits)) return { ok: true, value: digits };
    if (!/^\d{11}$/.test(digits)) return fail(fault('adhesion.holder_id_malformed', {}));
    return isCuit(digits)
      ? { ok: true, value: digits }
      : fail(fault('adhesion.holder_id_check_digit', {}));
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

export const bankMandateForm = form(members);
export type BankMandateInput = Filled<typeof members>;

export const refuseBankField = refuseField(members);
