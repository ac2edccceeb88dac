/** Lets so many calls run at once; the others wait in the order in which they came. */
export interface Slots {
  run<T>(call: () => Promise<T>): Promise<T>;
}

export function openSlots(most: number): Slots {
  const waiting: (() => void)[] = [];
  let free = most;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async run(call) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await call();
      } finally {
        leave();
      }
    },
  };
}
