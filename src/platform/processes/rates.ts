import type { Spent } from './messages.ts';

/** The buckets of one limit in a process, for the others to know of. */
export interface SharedBuckets {
  /** Returns the tokens taken since the last call. */
  spent(): [bucket: string, tokens: number][];
  /** Counts other processes' tokens. */
  spend(spent: readonly [bucket: string, tokens: number][]): void;
}

/** Shares the limits of a process with the other processes of its machine. */
export interface RateExchange {
  share(name: string, buckets: SharedBuckets): void;
}

/** For a single process. */
export const alone: RateExchange = { share() {} };

/** Most buckets of a limit in one message: those with the most tokens taken. */
const mostTold = 2_000;

/** Collects the tokens that this process's limits took, and gives them the others'. */
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
          spent.length <= mostTold
            ? spent
            : spent.toSorted(([, a], [, b]) => b - a).slice(0, mostTold);
      }
      return Object.keys(message).length === 0 ? null : message;
    },
    spread(spent) {
      for (const [name, list] of Object.entries(spent)) limits.get(name)?.spend(list);
    },
  };
}
