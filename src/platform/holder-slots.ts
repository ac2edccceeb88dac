import { unavailable } from './errors.ts';

/** Runs a bounded number of calls at once and shares the slots between holders. */
export interface HolderSlots {
  /** Rejects with 503 if no slot is free in time, or if the holder has too many calls waiting. */
  run<T>(holder: string, call: () => Promise<T>): Promise<T>;
}

export interface HolderSlotTerms {
  /** Calls that run at once. */
  most: number;
  /** Calls of one holder that run at once: fewer than `most`, so that others find a slot. */
  each: number;
  /** Calls of one holder that wait. */
  waiting: number;
  patienceMs: number;
  /** What the 503 says. */
  busy: string;
}

interface Holder {
  running: number;
  queue: (() => void)[];
}

/** Free slots go to the holders in turn, so a holder with many calls delays only its own. */
export function createHolderSlots(terms: HolderSlotTerms): HolderSlots {
  const { most, each, waiting, patienceMs, busy } = terms;
  const holders = new Map<string, Holder>();
  let running = 0;

  const startNext = (): void => {
    if (running >= most) return;
    for (const [name, holder] of holders) {
      if (holder.running >= each) continue;
      const begin = holder.queue.shift();
      if (!begin) continue;
      // The holder moves behind the others.
      holders.delete(name);
      holders.set(name, holder);
      running += 1;
      holder.running += 1;
      begin();
      return;
    }
  };

  const turn = (holder: Holder): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        holder.queue.splice(holder.queue.indexOf(begin), 1);
        reject(unavailable(busy));
      };
      const timer = setTimeout(giveUp, patienceMs);
      holder.queue.push(begin);
      startNext();
    });

  return {
    async run(name, call) {
      const holder = holders.get(name) ?? { running: 0, queue: [] };
      if (holder.queue.length >= waiting) throw unavailable(busy);
      holders.set(name, holder);
      try {
        await turn(holder);
        try {
          return await call();
        } finally {
          running -= 1;
          holder.running -= 1;
          startNext();
        }
      } finally {
        if (holder.running === 0 && holder.queue.length === 0) holders.delete(name);
      }
    },
  };
}
