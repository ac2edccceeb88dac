import { type BarcodeFormat, barcodeFormats } from '../kernel/barcode.ts';
import { type CardBrand, cardBrandNames, isCardBrand } from '../kernel/card-number.ts';
import { assigned, fault, identifier, ok, shaped, type Variable, words } from './variable.ts';

const establishment = (of: string): Variable<string | null> =>
  assigned(
    `Establishment number at the card processor for debits on ${of}. Unset: no debit file for them`,
    '0000000515',
    10,
  );

const prefixes: Variable<string[]> = {
  doc: 'First digits of Visa Débito cards, separated by commas. Other Visa cards are credit cards',
  fallback: '451766,451772',
  read(text) {
    const list = text.split(',').map((one) => one.trim());
    return list.every((one) => /^4[0-9]{3,10}$/.test(one))
      ? ok(list)
      : fault('must be a list of 4 to 11 digits that begin with 4, separated by commas');
  },
};

const exchangeBrands: Variable<CardBrand[]> = {
  doc: 'Card brands to debit by exchange file (`cards-csv`, `cards-json`), separated by commas. Empty: none',
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
    'Layout of barcodes: a SIRO format for all cash networks, or `pago-facil`. The section Barcodes compares them',
    '0448',
    barcodeFormats,
  ),
  BARCODE_CONVENTION: {
    ...shaped(
      'Ten digits that identify you as collector at cash networks, in SIRO formats. Required in production unless BARCODE_FORMAT is `pago-facil`',
      '5150000000',
      /^[0-9]{10}$/,
      '10 digits',
    ),
    placeholder: true,
  },
  PMC_COMPANY: assigned(
    'Your company code at Pago Mis Cuentas. Unset: `banelco_pmc` is not offered',
    '0515',
    4,
  ),
  LINK_ENTITY: assigned(
    'Your entity code at Link Pagos. Unset: `link_pagos` is not offered',
    '515',
    3,
  ),
  PAGO_FACIL_CLIENT: identifier(
    'Your client number at Pago Fácil. Its last four digits begin barcodes of the format `pago-facil`. Unset: payers cannot pay there',
    '000000515',
    /^[0-9]{9}$/,
    '9 digits',
  ),
  RAPIPAGO_COMPANY: identifier(
    'Your company name at Rapipago. Unset: payers cannot pay there',
    'RECAUDO',
    /^(?=.*[0-9A-Za-z])[^\p{C}\p{Z}]([^\p{C}]{0,18}[^\p{C}\p{Z}])?$/u,
    '1 to 20 printable characters, one of them a digit or an unaccented letter',
  ),
  DIRECT_DEBIT_SERVICE: assigned(
    'Your service number at the bank that takes direct debits in 350-character files. Unset: no such files',
    '0515',
    4,
  ),
  MACRO_AGREEMENT: assigned(
    'Your agreement number at the bank that takes direct debits in 220-character files. Unset: no such files',
    '00515',
    5,
  ),
  MACRO_SERVICE: shaped(
    'Service name of MACRO_AGREEMENT. Empty: the agreement has none',
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
    'Code of the payment service provider that holds the CVUs of payers. Unset: `qr` is not offered, and payment requests get no CVU',
    '9991',
    /^[0-9]{4}$/,
    '4 digits',
  ),
} satisfies Record<string, Variable<unknown, string | null>>;

/** Returns the name of the variable with the collector's code in barcodes. */
export const collectorVariable = (format: string | undefined) =>
  format === 'pago-facil' ? 'PAGO_FACIL_CLIENT' : 'BARCODE_CONVENTION';

/**
 * Returns the barcodes' format and collector. Throws if the format's collector is not configured.
 */
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
