import type { BusinessClock } from '../../platform/clocks.ts';
import type { FoundFault } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import { flagOf } from '../../platform/spreadsheets/cells.ts';
import {
  type Dynamics,
  type QrItem,
  type QrTerms,
  qrImageUrls,
  type ReadItem,
  readItem,
  refuseUnlessOffered,
  takenIds,
} from '../../qr/index.ts';
import { sharedFields } from './fields.ts';
import type { ImportField, ImportKind, ImportMaker } from './kind.ts';
import { importField } from './readers.ts';

const fields: readonly ImportField[] = [
  importField(
    'id',
    'Código del QR',
    'QR id',
    ['codigo', 'codigo qr', 'id', 'id qr', 'qr', 'qr id', 'nro socio', 'socio nro', 'legajo'],
    { required: true },
  ),
  sharedFields.payer,
  sharedFields.description,
  importField(
    'city',
    'Localidad',
    'City',
    ['ciudad', 'localidad', 'city', 'town', 'partido', 'municipio'],
    { required: true },
  ),
  sharedFields.firstDue,
  sharedFields.firstTotal,
  sharedFields.secondDue,
  sharedFields.secondTotal,
  { ...sharedFields.reference, words: ['referencia', 'referencia externa', 'reference'] },
  sharedFields.payerEmail,
  {
    ...importField('multiple_payment', 'Admite varios pagos', 'Multiple payments', [
      ...['pago multiple', 'varios pagos', 'multiple', 'multiple payment', 'multiple payments'],
    ]),
    read: flagOf,
  },
  importField('postal_code', 'Código postal', 'Postal code', ['cp', 'codigo postal', 'zip']),
  importField('qr_type', 'Tipo de QR', 'QR type', ['tipo qr', 'qr type']),
  importField('qr_name', 'Nombre del QR', 'QR name', ['nombre qr', 'qr name']),
];

const faultsOf = ({ faults }: Extract<ReadItem<QrItem>, { ok: false }>): FoundFault[] =>
  faults.map(({ field, message }) => ({ path: field === undefined ? [] : [field], message }));

export interface QrImportTerms {
  business: BusinessClock;
  links: Links;
  terms: Pick<QrTerms, 'offered'>;
}

/** Rows as dynamic QRs. */
export const qrKind = ({ business, links, terms }: QrImportTerms): ImportKind<QrItem> => ({
  name: 'qr',
  fields,
  refuseUnlessOffered: () => refuseUnlessOffered(terms),
  async checker(accountId) {
    const context = { accountId, today: business.today() };
    return (body) => {
      // A code takes one payment unless its maker says otherwise.
      const read = readItem({ multiple_payment: false, ...body }, context);
      return read.ok ? { ok: true, input: read.item } : { ok: false, faults: faultsOf(read) };
    };
  },
  referenceOf: (item) => item.id,
  existing: (sql, accountId, ids) =>
    takenIds(
      sql,
      ids.map((id) => ({ accountId, id })),
    ),
  links: (accountId, id) => qrImageUrls(links, { accountId, id }),
});

export const qrMaker = ({
  createFree,
  withdraw,
}: Pick<Dynamics, 'createFree' | 'withdraw'>): ImportMaker<QrItem> => ({
  create: createFree,
  withdraw,
});
