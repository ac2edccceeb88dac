/** Serializes work on the same name. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const queues = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const mine = (queues.get(name) ?? Promise.resolve()).then(work, work);
    const settled = mine.catch(() => {});
    queues.set(name, settled);
    try {
      return await mine;
    } finally {
      if (queues.get(name) === settled) queues.delete(name);
    }
  };
}
