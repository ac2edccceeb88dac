import { type BarcodeFormat, barcodeFormats } from '../kernel/barcode.ts';
import { type CardBrand, cardBrandNames, isCardBrand } from '../kernel/card-number.ts';
import { assigned, fault, identifier, ok, shaped, type Variable, words } from './variable.ts';

const establishment = (of: string): Variable<string | null> =>
  assigned(`Establishment at the card processor for debits on ${of}`, '0000000515', 10);

const prefixes: Variable<string[]> = {
  doc: 'First digits of the cards that are Visa Débito, separated by commas: no one range tells them from credit cards',
  fallback: '451766,451772',
  read(text) {
    const list = text.split(',').map((one) => one.trim());
    return list.every((one) => /^4[0-9]{3,10}$/.test(one))
      ? ok(list)
      : fault('must be a list of 4 to 11 digits that begin with 4, separated by commas');
  },
};

const exchangeBrands: Variable<CardBrand[]> = {
  doc: 'Brands of cards whose debits go out in the exchange (`cards-csv`, `cards-json`), separated by commas',
  fallback: '',
  read(text) {
    const list = text === '' ? [] : text.split(',').map((one) => one.trim());
    return list.every(isCardBrand)
      ? ok([...new Set(list)] as CardBrand[])
      : fault(`must be a list of ${cardBrandNames.join(', ')}, separated by commas`);
  },
};

/** Identifiers of this deployment at networks, banks and card processors. */
export const railVariables = {
  BARCODE_FORMAT: words(
    'Layout of barcodes: one of SIRO for all cash networks, or that of Pago Fácil',
    '0448',
    barcodeFormats,
  ),
  BARCODE_CONVENTION: {
    ...shaped(
      'The ten digits that cash networks know this collector by, in the formats of SIRO',
      '5150000000',
      /^[0-9]{10}$/,
      '10 digits',
    ),
    placeholder: true,
  },
  PMC_COMPANY: assigned('Company code at Pago Mis Cuentas', '0515', 4),
  LINK_ENTITY: assigned('Entity code at Link Pagos', '515', 3),
  PAGO_FACIL_CLIENT: identifier(
    'Client number at Pago Fácil; its last four digits begin barcodes of the format `pago-facil`',
    '000000515',
    /^[0-9]{9}$/,
    '9 digits',
  ),
  RAPIPAGO_COMPANY: identifier(
    'Company name at Rapipago',
    'RECAUDO',
    /^(?=.*[0-9A-Za-z])[^\p{C}\p{Z}]([^\p{C}]{0,18}[^\p{C}\p{Z}])?$/u,
    '1 to 20 printable characters, one of them a digit or an unaccented letter',
  ),
  DIRECT_DEBIT_SERVICE: assigned(
    'Number of the service at the bank of the 350-character direct debits',
    '0515',
    4,
  ),
  MACRO_AGREEMENT: assigned('Agreement at the bank of the 220-character direct debits', '00515', 5),
  MACRO_SERVICE: shaped(
    'Name of the service in that agreement, if it has one',
    '',
    /^([!-~]([ -~]{0,8}[!-~])?)?$/,
    'up to 10 visible ASCII characters',
  ),
  VISA_ESTABLISHMENT: establishment('Visa credit cards'),
  VISA_DEBIT_ESTABLISHMENT: establishment('Visa Débito'),
  MASTERCARD_ESTABLISHMENT: establishment('Mastercard'),
  VISA_DEBIT_PREFIXES: prefixes,
  CARD_EXCHANGE_BRANDS: exchangeBrands,
  CVU_PSP: identifier(
    'Code of the payment service provider that holds the transfer accounts',
    '9991',
    /^[0-9]{4}$/,
    '4 digits',
  ),
} satisfies Record<string, Variable<unknown, string | null>>;

/** The variable with the collector's code in barcodes. */
export const collectorVariable = (format: string | undefined) =>
  format === 'pago-facil' ? 'PAGO_FACIL_CLIENT' : 'BARCODE_CONVENTION';

/** Returns the barcodes' format and collector. */
export function barcodeTermsOf(config: {
  BARCODE_FORMAT: BarcodeFormat;
  BARCODE_CONVENTION: string;
  PAGO_FACIL_CLIENT: string | null;
}) {
  const format = config.BARCODE_FORMAT;
  const known = config[collectorVariable(format)];
  if (known === null) throw new Error('PAGO_FACIL_CLIENT must be set');
  return { format, collector: format === 'pago-facil' ? known.slice(-4) : known };
}
