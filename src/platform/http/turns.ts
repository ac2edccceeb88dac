import { tooMany } from '../codes.ts';
import type { TooMany } from '../errors.ts';
import { createSlots, type Slots, tookTooLong } from '../slots.ts';

/** Seconds until a retry: running calls end soon. */
const soonSeconds = 1;

/**
 * Counts each caller's running calls. Returns the function that ends one. Throws 429 above the
 * limit.
 */
export function createCalls(most: number): (name: string) => () => void {
  const underWay = new Map<string, number>();
  return (name) => {
    const count = (underWay.get(name) ?? 0) + 1;
    if (count > most) {
      throw tooMany('too_many_calls_under_way', { max: most }, soonSeconds);
    }
    underWay.set(name, count);
    return () => {
      const left = (underWay.get(name) ?? 1) - 1;
      if (left > 0) underWay.set(name, left);
      else underWay.delete(name);
    };
  };
}

/** Maximum wait for a turn, in milliseconds. */
const patienceMs = 10_000;
/** Maximum number of waiting calls per caller. */
const mostWaiting = 200;

/**
 * Bounds each caller's concurrent calls. Calls above the bound wait briefly, so that a caller's
 * load delays only its own calls.
 */
export function createTurns(
  atOnce: number,
): <T>(name: string, call: () => Promise<T>) => Promise<T> {
  const callers = new Map<string, { slots: Slots; calls: number }>();
  return async (name, call) => {
    const caller = callers.get(name) ?? { slots: createSlots(atOnce), calls: 0 };
    if (caller.calls >= atOnce + mostWaiting) throw late(atOnce);
    callers.set(name, caller);
    caller.calls += 1;
    try {
      return await caller.slots.run(call, patienceMs);
    } catch (error) {
      throw error === tookTooLong ? late(atOnce) : error;
    } finally {
      caller.calls -= 1;
      if (caller.calls === 0) callers.delete(name);
    }
  };
}

const late = (atOnce: number): TooMany =>
  tooMany('too_many_slow_calls', { max: atOnce }, soonSeconds);
