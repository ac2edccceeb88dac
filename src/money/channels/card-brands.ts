import type { CardBrand } from '../../kernel/card-number.ts';

interface BrandFacts {
  /** Display name. Results and reports give it as the name of the channel. */
  label: string;
  /** The `code` in the answer of channel-installments, and the value for excluded_card_brands. */
  code: string;
}

export const cardBrands: Record<CardBrand, BrandFacts> = {
  visa: { label: 'Visa', code: '39' },
  mastercard: { label: 'Mastercard', code: '41' },
  amex: { label: 'American Express', code: '43' },
  cabal: { label: 'Cabal', code: '27' },
  naranja: { label: 'Naranja', code: '24' },
  maestro: { label: 'Maestro', code: '106' },
  diners: { label: 'Diners Club', code: '8' },
};
