import type { CardBrand } from '../../../kernel/card-number.ts';
import { centavos, plus, zero } from '../../../kernel/money.ts';
import { longestCardNumber } from '../../files/fields.ts';
import { type CardOutbound, type DebitIdentity, runReference } from '../debit.ts';
import { order, orderHeader, orderTrailer } from './layout.ts';
import { establishmentOf, isVisaDebit, knownEstablishment, type Product } from './products.ts';

interface CardFile {
  product: Product;
  name: 'DEBLIQC' | 'DEBLIQD' | 'DEBLIMC';
  title: string;
  brand: CardBrand;
  takes(number: string, known: DebitIdentity): boolean;
}

function outbound({ product, name, title, brand, takes }: CardFile): CardOutbound {
  const mark = name === 'DEBLIQC' ? 'DEBLIQC ' : name === 'DEBLIQD' ? 'DEBLIQD ' : 'DEBLIMC ';
  return {
    name: name.toLowerCase(),
    title,
    kind: 'card_debit_request',
    room: { count: 9_999_999, total: centavos(999_999_999_999_999) },
    brands: () => [brand],
    longestCard: longestCardNumber,
    isConfigured: (terms) => knownEstablishment(product, terms) !== null,
    takes: ({ number }, terms) => takes(number, terms),
    createWriter(terms, { date, time }) {
      const establishment = establishmentOf(product, terms);
      let count = 0;
      let total = zero;
      return {
        name: `${name}.txt`,
        head: () => orderHeader(mark).encode({ establishment, date, time }),
        line({ run, number }) {
          const line = order.encode({
            card: number,
            sequence: count + 1,
            due: run.run_on,
            amount: run.amount,
            reference: runReference(run.request_id, run.no),
          });
          count += 1;
          total = plus(total, run.amount);
          return line;
        },
        tail: () => orderTrailer(mark).encode({ establishment, date, time, count, total }),
      };
    },
  };
}

export const debliqc = outbound({
  product: 'visa',
  name: 'DEBLIQC',
  title: 'Visa credit cards, 100 characters (DEBLIQC)',
  brand: 'visa',
  takes: (number, terms) => !isVisaDebit(number, terms),
});

export const debliqd = outbound({
  product: 'visa_debit',
  name: 'DEBLIQD',
  title: 'Visa Débito, 100 characters (DEBLIQD)',
  brand: 'visa',
  takes: isVisaDebit,
});

export const deblimc = outbound({
  product: 'mastercard',
  name: 'DEBLIMC',
  title: 'Mastercard, 100 characters (DEBLIMC)',
  brand: 'mastercard',
  takes: () => true,
});
