import { type Answer, json } from '../../protocol/http.ts';
import type { Sale } from './sale.ts';

/** The imaginary acquirer's payouts, in memory. */
interface Payout {
  id: string;
  paid_on: string;
  total: number;
  items: {
    id: string;
    type: 'sale' | 'refund' | 'rental';
    reference: string | null;
    by_wallet: boolean;
    amount: number;
    cost: number;
  }[];
}

export interface Payouts {
  /** Pays out a sale, less 3 % and a terminal rental. */
  pay(sale: Sale): void;
  /** Deducts the refunded amount of a sale from a payout. */
  takeBack(sale: Sale, amount: number): void;
  list(query: URLSearchParams): Answer;
}

const rental = 100;
const pageSize = 20;

export function openPayouts(): Payouts {
  const payouts: Payout[] = [];
  const paid = new Set<Sale>();

  function add(sale: Sale, type: 'sale' | 'refund', amount: number): void {
    const id = `P${payouts.length + 1}`;
    const cost = type === 'sale' ? Math.round(amount * 0.03) : 0;
    const of = { reference: sale.reference, by_wallet: sale.code !== null };
    const items: Payout['items'] = [{ id: `${id}-1`, type, ...of, amount, cost }];
    if (type === 'sale') {
      const none = { reference: null, by_wallet: false };
      items.push({ id: `${id}-2`, type: 'rental', ...none, amount: 0, cost: rental });
    }
    const total = items.reduce((sum, item) => sum + item.amount - item.cost, 0);
    const paid_on = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    payouts.push({ id, paid_on, total, items });
  }

  return {
    pay(sale) {
      paid.add(sale);
      add(sale, 'sale', sale.amount);
    },
    takeBack(sale, amount) {
      if (paid.has(sale)) add(sale, 'refund', -amount);
    },
    list(query) {
      const [from, before] = [query.get('from') ?? '', query.get('before') ?? ''];
      const start = Number(query.get('after') ?? 0);
      const page = payouts.slice(start, start + pageSize);
      const within = page.filter(({ paid_on: day }) => day >= from && day < before);
      const more = start + pageSize < payouts.length;
      return json(200, { payouts: within, ...(more && { next: String(start + pageSize) }) });
    },
  };
}
