import type { Spent } from './messages.ts';

/** A limit's buckets in this process, to share. */
export interface SharedBuckets {
  /** Returns tokens taken since the last call. */
  spent(): [bucket: string, tokens: number][];
  /** Counts other processes' tokens. */
  spend(spent: readonly [bucket: string, tokens: number][]): void;
}

/** Shares a process's limits with its machine's other processes. */
export interface RateExchange {
  share(name: string, buckets: SharedBuckets): void;
}

/** Exchange of a single process, which shares nothing. */
export const alone: RateExchange = { share() {} };

/** Maximum number of buckets per message and limit: those with the most tokens. */
const maxBuckets = 2_000;

/** Exchanges tokens between this process's limits and the others'. */
export function createExchange(): RateExchange & {
  gather(): Spent | null;
  spread(spent: Spent): void;
} {
  const limits = new Map<string, SharedBuckets>();
  return {
    share: (name, buckets) => void limits.set(name, buckets),
    gather() {
      const message: Spent = {};
      for (const [name, buckets] of limits) {
        const spent = buckets.spent();
        if (spent.length === 0) continue;
        message[name] =
          spent.length <= maxBuckets
            ? spent
            : spent.toSorted(([, a], [, b]) => b - a).slice(0, maxBuckets);
      }
      return Object.keys(message).length === 0 ? null : message;
    },
    spread(spent) {
      for (const [name, list] of Object.entries(spent)) limits.get(name)?.spend(list);
    },
  };
}
