import type { SettlementList } from '../protocol/messages.ts';

// Settlements of your acquirer: delete this file if it lists none.

/** A payout as this imagined acquirer shows it. */
export interface Payout {
  id: string;
  paid_on: string;
  total: number;
  items: {
    id: string;
    type: 'sale' | 'refund' | 'rental';
    /** Of the sale, or of the sale that went back. */
    reference: string | null;
    by_wallet: boolean;
    amount: number;
    cost: number;
  }[];
}

const kinds = { sale: 'sale', refund: 'refund', rental: 'other' } as const;

/** Its items in the words of the protocol, each with the payout that it came by. */
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

/** Lists are asked for from midnight to midnight in Argentina, which is three hours behind UTC. */
export const dayOf = (moment: string): string =>
  new Date(Date.parse(moment) - 3 * 3_600_000).toISOString().slice(0, 10);
