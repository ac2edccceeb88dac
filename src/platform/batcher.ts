import { refusal } from './codes.ts';
import { isConnectionFailure } from './errors.ts';
import type { Queryable } from './postgres/connect.ts';
import { currentErrand, doing, type Trace } from './postgres/deadlines.ts';
import { takesSeveralAccounts } from './postgres/distributed/engine.ts';

export interface BatcherOptions {
  /** Maximum number of items per run. */
  maxBatch: number;
  /** Maximum number of queued items. Further calls fail with 503. */
  maxQueue: number;
  /** Maximum number of concurrent runs. */
  parallel: number;
}

/**
 * Returns the key that the items of a run must share. The function is null if they may be mixed.
 */
export type GroupKey<I> = ((item: I) => string) | null;

interface Waiting<I, O> {
  item: I;
  trace: Trace;
  resolve: (outcome: O) => void;
  reject: (error: unknown) => void;
}

interface Run<I, O> {
  /** Key that its items share, or null. */
  key: string | null;
  waiting: Waiting<I, O>[];
}

/**
 * Concurrent runs per unit of `parallel` when runs have keys, so that a slow node does not delay
 * the others.
 */
const keysAtOnce = 4;

/**
 * Groups runs by account on a distributed database: a transaction on one node commits in one phase
 * and locks rows there only.
 */
export const byAccount =
  <I>(sql: Queryable, accountOf: (item: I) => string) =>
  (): GroupKey<I> =>
    takesSeveralAccounts(sql) ? null : accountOf;

/** Throws an item's error, which batches return as a value. */
export const orThrow =
  <I, O>(call: (item: I) => Promise<O | Error>) =>
  async (item: I): Promise<O> => {
    const outcome = await call(item);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

/**
 * Batches single calls: those that queue during a run form the next one. Uses no timer, so an idle
 * service answers at once. Repeats a failed run item by item, so that a bad item fails alone,
 * except after a lost connection, when the outcome is unknown.
 */
export function batcher<I, O>(
  run: (items: I[]) => Promise<O[]>,
  { maxBatch, maxQueue, parallel }: BatcherOptions,
  together: () => GroupKey<I> = () => null,
): (item: I) => Promise<O> {
  const queue: Waiting<I, O>[] = [];
  const underWay = new Set<string>();
  let running = 0;

  const settle = (waiting: Waiting<I, O>[], outcomes: O[]): void => {
    if (outcomes.length !== waiting.length) throw new Error('a batch lost an outcome');
    waiting.forEach((one, index) => {
      one.resolve(outcomes[index] as O);
    });
  };

  /** Runs the items under one trace. If the run wrote, each item's own trace records that. */
  const runFor = async (waiting: Waiting<I, O>[]): Promise<O[]> => {
    const span = waiting[0]?.trace.span?.child('batch', 'internal', {
      'batch.size': waiting.length,
    });
    const trace: Trace = { wrote: false, ...(span && { span }) };
    try {
      const items = waiting.map((one) => one.item);
      return await doing(currentErrand().work, () => run(items), trace);
    } finally {
      span?.end();
      for (const one of waiting) one.trace.wrote ||= trace.wrote;
    }
  };

  const runOne = async (one: Waiting<I, O>): Promise<void> => {
    try {
      settle([one], await runFor([one]));
    } catch (error) {
      one.reject(error);
    }
  };

  const runBatch = async (waiting: Waiting<I, O>[]): Promise<void> => {
    try {
      settle(waiting, await runFor(waiting));
    } catch (error) {
      if (waiting.length === 1 || isConnectionFailure(error)) {
        for (const one of waiting) one.reject(error);
        return;
      }
      for (const one of waiting) await runOne(one);
    }
  };

  /** Returns the first item that may run, and the items that join it. Null if none may run now. */
  const nextRun = (): Run<I, O> | null => {
    const keyOf = together();
    if (keyOf === null) {
      return running < parallel ? { key: null, waiting: queue.splice(0, maxBatch) } : null;
    }
    if (running >= parallel * keysAtOnce) return null;
    const first = queue.find(({ item }) => !underWay.has(keyOf(item)));
    if (!first) return null;
    const key = keyOf(first.item);
    const waiting = queue.filter(({ item }) => keyOf(item) === key).slice(0, maxBatch);
    const taken = new Set(waiting);
    queue.splice(0, queue.length, ...queue.filter((one) => !taken.has(one)));
    return { key, waiting };
  };

  const start = (): void => {
    while (queue.length > 0) {
      const run = nextRun();
      if (run === null) return;
      const { key, waiting } = run;
      running += 1;
      if (key !== null) underWay.add(key);
      void runBatch(waiting).finally(() => {
        running -= 1;
        if (key !== null) underWay.delete(key);
        start();
      });
    }
  };

  return (item) => {
    if (queue.length >= maxQueue) {
      return Promise.reject(refusal('over_capacity', {}));
    }
    const { promise, resolve, reject } = Promise.withResolvers<O>();
    queue.push({ item, trace: currentErrand().trace, resolve, reject });
    start();
    return promise;
  };
}
