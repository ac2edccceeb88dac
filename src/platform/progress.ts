import { AsyncLocalStorage } from 'node:async_hooks';

/** Receives progress of long work, in the work's own units, such as lines or cards. */
export interface Watcher {
  /** Adds to the expected total. */
  expect(count: number): void;
  done(count: number): void;
}

const watchers = new AsyncLocalStorage<Watcher | null>();

/** Runs work that reports progress to a watcher, if any. */
export const watchedBy = <T>(watcher: Watcher | null, work: () => Promise<T>): Promise<T> =>
  watchers.run(watcher, work);

/** Reports the expected amount of work. Work of unknown size reports only finished steps. */
export const workExpected = (count: number): void => watchers.getStore()?.expect(count);

export const workDone = (count: number): void => watchers.getStore()?.done(count);
