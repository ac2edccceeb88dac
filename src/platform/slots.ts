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
