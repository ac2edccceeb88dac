import { type Centavos, centavos } from '../../kernel/money.ts';
import type { LedgerAccount } from './chart.ts';

/**
 * Kinds of journals. `collection`, `release`, `chargeback` and `refund` belong to a result,
 * `refund_hold` and `refund_undone` to the payment that is being refunded. The others name their
 * subject in `cause`.
 */
export const journalKinds = [
  'collection',
  'release',
  'chargeback',
  'refund',
  'payout',
  'payout_return',
  'refund_hold',
  'refund_undone',
  'correction',
  'suspense',
  'suspense_assigned',
  'suspense_returned',
  'suspense_reversed',
] as const;
export type JournalKind = (typeof journalKinds)[number];

/** Subject of a journal without a result: the table's name in the singular, and an id. */
export type Cause = `${'payout' | 'correction' | 'suspense'}:${number}`;

/** The lines of a journal, which sum to zero. */
export interface Entry {
  accounts: LedgerAccount[];
  amounts: Centavos[];
}

/** Builds an entry. Omits zero amounts, and merges lines on the same account. */
export function entry(lines: [LedgerAccount, number][]): Entry {
  const byAccount = new Map<LedgerAccount, number>();
  for (const [account, amount] of lines) {
    byAccount.set(account, (byAccount.get(account) ?? 0) + amount);
  }
  const postings = [...byAccount].filter(([, amount]) => amount !== 0);
  const total = postings.reduce((sum, [, amount]) => sum + amount, 0);
  if (total !== 0) throw new Error(`a journal must sum to zero, this one sums to ${total}`);
  return {
    accounts: postings.map(([account]) => account),
    amounts: postings.map(([, amount]) => centavos(amount)),
  };
}

/** Encodes a journal's lines as a PostgreSQL array text, because unnest flattens nested arrays. */
export const arrayText = (values: readonly number[]): string => `{${values.join(',')}}`;
