/** Lets so many calls run at once; the others wait in the order in which they came. */
export interface Slots {
  /** Throws `tookTooLong` where a call did not begin in so many milliseconds, if that is told. */
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

/** The same with a queue for each key: a free slot goes to each queue in turn. */
export interface FairSlots {
  /** Throws `tookTooLong` at once if the key's queue is full, or after the patience. */
  run<T>(key: string, call: () => Promise<T>, patienceMs: number): Promise<T>;
}

export function createFairSlots({ most, queued }: { most: number; queued: number }): FairSlots {
  /** In the order of their turns; an empty queue is not in it. */
  const queues = new Map<string, (() => void)[]>();
  let free = most;
  const leave = (): void => {
    const [turn] = queues;
    if (turn === undefined) {
      free += 1;
      return;
    }
    const [key, queue] = turn;
    const next = queue.shift();
    queues.delete(key);
    if (queue.length > 0) queues.set(key, queue);
    next?.();
  };
  const turn = (key: string, patienceMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? [];
      if (queue.length >= queued) throw tookTooLong;
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        if (queue.length === 0) queues.delete(key);
        reject(tookTooLong);
      }, patienceMs);
      queue.push(begin);
      queues.set(key, queue);
    });
  return {
    async run(key, call, patienceMs) {
      if (free > 0) free -= 1;
      else await turn(key, patienceMs);
      try {
        return await call();
      } finally {
        leave();
      }
    },
  };
}
