import { configured } from '../../files/format.ts';
import type { DebitIdentity } from '../debit.ts';

/** Products that the card processor separates: a file and an establishment for each. */
export type Product = 'visa' | 'visa_debit' | 'mastercard';

export const establishmentVariables = {
  visa: 'VISA_ESTABLISHMENT',
  visa_debit: 'VISA_DEBIT_ESTABLISHMENT',
  mastercard: 'MASTERCARD_ESTABLISHMENT',
} as const satisfies Record<Product, string>;

/** Null if not configured. */
export const knownEstablishment = (product: Product, terms: DebitIdentity): string | null =>
  ({
    visa: terms.visaEstablishment,
    visa_debit: terms.visaDebitEstablishment,
    mastercard: terms.mastercardEstablishment,
  })[product];

export const establishmentOf = (product: Product, terms: DebitIdentity): string =>
  configured(knownEstablishment(product, terms), establishmentVariables[product]);

/** No range separates debit from credit: the operator's list of first digits does. */
export const isVisaDebit = (
  number: string,
  { visaDebitPrefixes }: Pick<DebitIdentity, 'visaDebitPrefixes'>,
): boolean => visaDebitPrefixes.some((prefix) => number.startsWith(prefix));
