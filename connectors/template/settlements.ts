import type { SettlementList } from '../protocol/messages.ts';

// Settlements of your acquirer: delete this file if it lists none.

/** A payout of this imaginary acquirer. */
export interface Payout {
  id: string;
  paid_on: string;
  total: number;
  items: {
    id: string;
    type: 'sale' | 'refund' | 'rental';
    /** Reference of the sale, or of the refunded sale. */
    reference: string | null;
    by_wallet: boolean;
    amount: number;
    cost: number;
  }[];
}

const kinds = { sale: 'sale', refund: 'refund', rental: 'other' } as const;

/** Converts payout items to the protocol, each with its payout. */
export const linesOf = (payouts: readonly Payout[]): SettlementList['settlements'] =>
  payouts.flatMap(({ id, paid_on, total, items }) =>
    items.map(({ id: name, type, reference, by_wallet, amount, cost }) => ({
      id: name,
      payout: { id, paid_on, net: total },
      kind: kinds[type],
      ...(reference !== null && (by_wallet ? { trx: reference } : { attempt: reference })),
      gross: amount,
      fee: cost,
      net: amount - cost,
    })),
  );

/**
 * Returns a moment's day in Argentina (UTC-3), because lists run from midnight to midnight there.
 */
export const dayOf = (moment: string): string =>
  new Date(Date.parse(moment) - 3 * 3_600_000).toISOString().slice(0, 10);
