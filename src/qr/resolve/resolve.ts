import type { Account } from '../../accounts/index.ts';
import { buildCvu } from '../../kernel/cbu.ts';
import { type Centavos, centavos, toJsonNumber } from '../../kernel/money.ts';
import type { QrOrder, ResolveTerms, ScanCode } from './find.ts';
import type { Payable, ResolveAnswer } from './schema.ts';

export type Resolve = (data: string) => Promise<ResolveAnswer>;

/** Seconds after which a wallet may retry a code without an order. */
const retryDelay = 2;

/** Bounds of an amount chosen by the payer. */
export const openAmount = { least: centavos(1), most: centavos(99_999_999_99) } as const;

/** Maximum number of characters of a name, and of a title. */
const longestName = 50;
const longestTitle = 50;

const firstOf = (text: string, max: number): string => [...text].slice(0, max).join('');

interface ResolvedParts {
  number: number;
  postalCode: string | null;
  order: Payable['order'];
}

const closed = (
  { id, number, postalCode, description }: QrOrder,
  total: Centavos,
): ResolvedParts => ({
  number,
  postalCode,
  order: {
    id,
    total_amount: toJsonNumber(total),
    items: [
      {
        title: firstOf(description, longestTitle),
        description,
        quantity: 1,
        unit_price: toJsonNumber(total),
        currency_id: 'ARS',
      },
    ],
  },
});

/** Resolves a scanned code to its order for wallets (docs/how-to/qr.md, resolving). */
export function resolveQr(scan: ScanCode, terms: ResolveTerms): Resolve {
  const payable = (
    status: Payable['status'],
    account: Account,
    { number, postalCode, order }: ResolvedParts,
  ): ResolveAnswer => ({
    status,
    administrator: {
      identification_number: terms.administratorCuit,
      name: terms.administratorName,
    },
    collector: {
      account: buildCvu(terms.cvuPsp ?? '', number),
      identification_number: account.cuit,
      name: firstOf(account.name, longestName),
      mcc: terms.mcc,
      ...(postalCode !== null && { postal_code: postalCode }),
    },
    order,
    payment_methods_allowed: [{ id: 'TRANSFER' }],
  });

  return async (data) => {
    const found = await scan(data);
    switch (found.kind) {
      case 'refused':
        return { status: found.status, message: found.message };
      case 'waiting':
        return { status: 'pending', retry_delay: retryDelay };
      case 'open': {
        const { id, number, postal_code: postalCode } = found.row;
        const order = {
          id,
          min_amount: toJsonNumber(openAmount.least),
          max_amount: toJsonNumber(openAmount.most),
        };
        return payable('open_amount', found.account, { number, postalCode, order });
      }
      case 'closed':
        return payable('closed_amount', found.account, closed(found.order, found.order.amount));
    }
  };
}
