import type { CardBrand } from '../../../kernel/card-number.ts';
import { type Centavos, sumOf } from '../../../kernel/money.ts';
import { type CardOutbound, type DebitRailTerms, runReference } from '../debit.ts';
import { order, orderHeader, orderTrailer } from './layout.ts';
import { establishmentOf, isVisaDebit, type Product } from './products.ts';

interface CardFile {
  product: Product;
  name: 'DEBLIQC' | 'DEBLIQD' | 'DEBLIMC';
  title: string;
  brand: CardBrand;
  takes(number: string, terms: DebitRailTerms): boolean;
}

function outbound({ product, name, title, brand, takes }: CardFile): CardOutbound {
  const mark = name === 'DEBLIQC' ? 'DEBLIQC ' : name === 'DEBLIQD' ? 'DEBLIQD ' : 'DEBLIMC ';
  return {
    name: name.toLowerCase(),
    title,
    kind: 'card_debit_request',
    brand,
    takes: ({ number }, terms) => takes(number, terms),
    open(terms, { date, time }) {
      const establishment = establishmentOf(product, terms);
      let count = 0;
      let total = 0 as Centavos;
      return {
        name: `${name}.txt`,
        head: () => orderHeader(mark).encode({ establishment, date, time }),
        line({ run, number }) {
          count += 1;
          total = sumOf([total, run.amount]);
          return order.encode({
            card: number,
            sequence: count,
            due: run.run_on,
            amount: run.amount,
            reference: runReference(run.request_id, run.no),
          });
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
