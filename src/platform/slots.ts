import type { Clock } from './clocks.ts';

/** Bounds concurrent calls. Others queue in order. */
export interface Slots {
  /** Throws `tookTooLong` if a call does not start within `patienceMs`. */
  run<T>(call: () => Promise<T>, patienceMs?: number): Promise<T>;
}

export const tookTooLong = new Error('no slot became free in time');

export function createSlots(most: number): Slots {
  const waiting: (() => void)[] = [];
  let free = most;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const turn = (patienceMs: number | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(tookTooLong);
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
      waiting.push(begin);
    });
  return {
    async run(call, patienceMs) {
      if (free > 0) free -= 1;
      else await turn(patienceMs);
      try {
        return await call();
      } finally {
        leave();
      }
    },
  };
}

/**
 * Runs work for items, `atOnce` at a time, and begins none after `forMs`. Returns the number begun.
 * Throws the first failure when all have ended.
 */
export async function eachForAWhile<T>(
  items: readonly T[],
  { atOnce, wall, forMs }: { atOnce: number; wall: Clock; forMs: number },
  work: (item: T) => Promise<void>,
): Promise<number> {
  const slots = createSlots(atOnce);
  const untilMs = wall.nowMs() + forMs;
  let begun = 0;
  const one = async (item: T): Promise<void> => {
    if (wall.nowMs() >= untilMs) return;
    begun += 1;
    await work(item);
  };
  const ends = await Promise.allSettled(items.map((item) => slots.run(() => one(item))));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return begun;
}

export interface FairSlotTerms {
  /** Maximum number of concurrent calls. */
  most: number;
  /** Maximum number of concurrent calls per key. Below `most`, it leaves slots to others. */
  each?: number;
  /** Maximum number of waiting calls per key. */
  queued: number;
  patienceMs: number;
  /** Creates the error for a full queue, or for a call that waited too long. */
  refusal(): Error;
}

export interface FairSlots {
  run<T>(key: string, call: () => Promise<T>): Promise<T>;
}

interface Lane {
  running: number;
  queue: (() => void)[];
}

/** Creates slots that go to the keys in turn, so that a key with many calls delays only its own. */
export function createFairSlots(terms: FairSlotTerms): FairSlots {
  const { most, each = most, queued, patienceMs, refusal } = terms;
  /** Lanes in the order of their turns. */
  const lanes = new Map<string, Lane>();
  let running = 0;

  const startNext = (): void => {
    if (running >= most) return;
    for (const [key, lane] of lanes) {
      if (lane.running >= each) continue;
      const begin = lane.queue.shift();
      if (!begin) continue;
      lanes.delete(key);
      lanes.set(key, lane);
      running += 1;
      lane.running += 1;
      begin();
      return;
    }
  };

  const turn = (lane: Lane): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        lane.queue.splice(lane.queue.indexOf(begin), 1);
        reject(refusal());
      }, patienceMs);
      lane.queue.push(begin);
      startNext();
    });

  return {
    async run(key, call) {
      const lane = lanes.get(key) ?? { running: 0, queue: [] };
      if (lane.queue.length >= queued) throw refusal();
      lanes.set(key, lane);
      try {
        await turn(lane);
        try {
          return await call();
        } finally {
          running -= 1;
          lane.running -= 1;
          startNext();
        }
      } finally {
        if (lane.running === 0 && lane.queue.length === 0) lanes.delete(key);
      }
    },
  };
}
