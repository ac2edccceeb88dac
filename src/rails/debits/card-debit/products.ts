import { configured } from '../../files/format.ts';
import type { DebitIdentity } from '../debit.ts';

/** The card processor uses a separate file and establishment for each product. */
export type Product = 'visa' | 'visa_debit' | 'mastercard';

export const establishmentVariables = {
  visa: 'VISA_ESTABLISHMENT',
  visa_debit: 'VISA_DEBIT_ESTABLISHMENT',
  mastercard: 'MASTERCARD_ESTABLISHMENT',
} as const satisfies Record<Product, string>;

/** Returns the product's establishment, or null if it is not configured. */
export const knownEstablishment = (product: Product, terms: DebitIdentity): string | null =>
  ({
    visa: terms.visaEstablishment,
    visa_debit: terms.visaDebitEstablishment,
    mastercard: terms.mastercardEstablishment,
  })[product];

export const establishmentOf = (product: Product, terms: DebitIdentity): string =>
  configured(knownEstablishment(product, terms), establishmentVariables[product]);

/**
 * Returns true for a Visa Débito card, by the operator's list of prefixes, because no number range
 * separates debit from credit cards.
 */
export const isVisaDebit = (
  number: string,
  { visaDebitPrefixes }: Pick<DebitIdentity, 'visaDebitPrefixes'>,
): boolean => visaDebitPrefixes.some((prefix) => number.startsWith(prefix));
