import { refusal } from './codes.ts';

/** Returns reserved bytes to the budget. */
export type GiveBack = () => void;

export interface MemoryBudget {
  /**
   * Reserves bytes for a holder, waiting for others if necessary. Throws 503 on a timeout, or if
   * the signal aborts.
   */
  take(holder: string, bytes: number, signal: AbortSignal): Promise<GiveBack>;
  /** Reserved bytes. */
  readonly taken: number;
}

interface Waiting {
  holder: string;
  bytes: number;
  go(): void;
}

const patienceMs = 10_000;

/**
 * Creates the process's budget. A holder gets at most half of it, or a single reservation, so that
 * it cannot starve others. Waiting reservations that fit are served in order.
 */
export function createMemoryBudget(total: number): MemoryBudget {
  const bytesByHolder = new Map<string, number>();
  const waiting: Waiting[] = [];
  let taken = 0;

  const fits = ({ holder, bytes }: Pick<Waiting, 'holder' | 'bytes'>): boolean => {
    const own = bytesByHolder.get(holder) ?? 0;
    return taken + bytes <= total && (own === 0 || own + bytes <= total / 2);
  };

  const hold = (holder: string, bytes: number): GiveBack => {
    taken += bytes;
    bytesByHolder.set(holder, (bytesByHolder.get(holder) ?? 0) + bytes);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      taken -= bytes;
      const left = (bytesByHolder.get(holder) ?? 0) - bytes;
      if (left > 0) bytesByHolder.set(holder, left);
      else bytesByHolder.delete(holder);
      for (const one of waiting.filter(fits)) one.go();
    };
  };

  const wait = (holder: string, bytes: number, signal: AbortSignal): Promise<GiveBack> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        waiting.splice(waiting.indexOf(one), 1);
      };
      const giveUp = (): void => {
        leave();
        reject(refusal('bodies_over_capacity', {}));
      };
      const timer = setTimeout(giveUp, patienceMs);
      signal.addEventListener('abort', giveUp);
      const one: Waiting = {
        holder,
        bytes,
        go() {
          // An earlier reservation may have taken the memory.
          if (!fits(one)) return;
          leave();
          resolve(hold(holder, bytes));
        },
      };
      waiting.push(one);
    });

  return {
    async take(holder, bytes, signal) {
      const ahead = waiting.some((one) => one.holder === holder);
      return !ahead && fits({ holder, bytes }) ? hold(holder, bytes) : wait(holder, bytes, signal);
    },
    get taken() {
      return taken;
    },
  };
}
