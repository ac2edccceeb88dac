import {
  type BankMandateInput,
  bankMandateForm,
  findMandateReferences,
  type MandateVerbs,
} from '../../mandates/index.ts';
import { type SheetField, sheetField } from '../../platform/spreadsheets/fields.ts';
import { sheetFields } from '../../requests/index.ts';
import { refusal } from '../codes.ts';
import { checkedBy, type ImportKind, type ImportMaker } from './kind.ts';

const fields: readonly SheetField[] = [
  sheetField(
    'adhesion_holder_name',
    'Nombre de quien adhiere',
    'Holder',
    [
      ...['pagador', 'nombre', 'nombre y apellido', 'apellido y nombre', 'adherente', 'socio'],
      ...['socia', 'cliente', 'alumno', 'alumna', 'holder', 'name', 'full name', 'member'],
    ],
    { required: true },
  ),
  {
    ...sheetFields.payerEmail,
    name: 'email',
    required: true,
    label: { es: 'Correo', en: 'E-mail' },
  },
  sheetFields.description,
  sheetField(
    'short_description',
    'Concepto corto',
    'Short description',
    ['concepto corto', 'descripcion corta', 'leyenda', 'short description'],
    { required: true },
  ),
  sheetField('cbu_number', 'CBU', 'CBU', ['cbu', 'nro cbu', 'cuenta', 'cbu number'], {
    required: true,
    reader: 'raw',
  }),
  sheetField(
    'cbu_holder_name',
    'Titular de la cuenta',
    'Account holder',
    ['titular', 'titular cuenta', 'titular cbu', 'nombre titular', 'account holder'],
    { required: true },
  ),
  sheetField(
    'cbu_holder_id_number',
    'DNI o CUIT del titular',
    'Account holder’s id',
    [
      ...['dni', 'cuit', 'cuil', 'documento', 'dni cuit', 'cuit cuil', 'dni titular'],
      ...['cuit titular', 'nro documento', 'tax id'],
    ],
    { required: true },
  ),
  sheetFields.reference,
];

/**
 * Turns rows into mandates on bank accounts. Each holder gets an email that asks for a signature.
 */
export const adhesionKind = (debitsBanks: () => boolean): ImportKind<BankMandateInput> => ({
  name: 'adhesion',
  fields,
  amount: null,
  refuseUnlessOffered() {
    if (!debitsBanks()) throw refusal('import.no_bank', {});
  },
  async checker() {
    return (body) => checkedBy(bankMandateForm.read(body, undefined));
  },
  referenceOf: (input) => input.external_reference,
  async existing(sql, accountId, references) {
    const found = await findMandateReferences(sql, { accountId, kind: 'adhesion' }, references);
    return new Map(found.map(({ reference, id }) => [reference, id]));
  },
  links: () => ({}),
});

export const adhesionMaker = ({
  createManyBank,
  withdraw,
}: Pick<MandateVerbs, 'createManyBank' | 'withdraw'>): ImportMaker<BankMandateInput> => ({
  create: (tx, ctx, inputs) =>
    createManyBank(
      tx,
      inputs.map((input) => ({ ctx, input, claim: null })),
    ),
  withdraw: (tx, ctx, withdrawal) => withdraw(tx, ctx, 'adhesion', withdrawal),
});
