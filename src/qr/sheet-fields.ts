import { type SheetField, sheetField } from '../platform/spreadsheets/fields.ts';
import { sheetFields } from '../requests/index.ts';

export const qrSheetFields: readonly SheetField[] = [
  sheetField(
    'id',
    'Código del QR',
    'QR id',
    [
      ...['codigo', 'codigo qr', 'id', 'id qr', 'qr', 'qr id', 'identificador', 'nro socio'],
      ...['socio nro', 'legajo'],
    ],
    { required: true },
  ),
  sheetFields.payer,
  sheetFields.description,
  sheetField(
    'city',
    'Localidad',
    'City',
    ['ciudad', 'localidad', 'city', 'town', 'partido', 'municipio'],
    { required: true },
  ),
  sheetFields.firstDue,
  sheetFields.firstTotal,
  sheetFields.secondDue,
  sheetFields.secondTotal,
  // Leaves out the other headings for references, which here name the QR's own id.
  { ...sheetFields.reference, words: ['referencia', 'referencia externa', 'reference'] },
  sheetFields.payerEmail,
  sheetField(
    'multiple_payment',
    'Admite varios pagos',
    'Multiple payments',
    ['pago multiple', 'varios pagos', 'multiple', 'multiple payment', 'multiple payments'],
    { reader: 'flag' },
  ),
  sheetField('postal_code', 'Código postal', 'Postal code', ['cp', 'codigo postal', 'zip']),
  sheetField('qr_type', 'Tipo de QR', 'QR type', ['tipo qr', 'qr type']),
  sheetField('qr_name', 'Nombre del QR', 'QR name', ['nombre qr', 'qr name']),
];

/** A QR from a spreadsheet accepts one payment unless its row says otherwise. */
export const qrSheetDefaults = { multiple_payment: 'false' } as const;
