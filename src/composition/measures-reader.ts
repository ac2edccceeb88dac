import { Gauge, type Registry } from 'prom-client';
import type { Base } from '../platform/base.ts';
import { doing } from '../platform/postgres/deadlines.ts';

export interface MeasureParts extends Pick<Base, 'sql' | 'log' | 'clocks'> {
  reader: Reader;
}

/**
 * Timeout of each read during a scrape, below the 2 s for which a primary waits for its processes.
 */
export const longestReadMs = 1_500;

/** Rejects if a read exceeds its timeout. */
export async function inTime<T>(read: Promise<T>, leftMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), leftMs);
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Serializes reads, so that a scrape takes only one connection from calls. */
export function createReader() {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(read: () => Promise<T>): Promise<T> => {
    const endMs = performance.now() + longestReadMs;
    const mine = last.then(async () => {
      if (performance.now() >= endMs) throw new Error('no answer in time');
      return await doing('readiness', read);
    });
    last = mine.catch(() => {});
    return await inTime(mine, longestReadMs);
  };
}

type Reader = ReturnType<typeof createReader>;

/**
 * Creates a gauge on the shared database. All processes report the same figure, so their maximum is
 * exported.
 */
export const shared = (
  registry: Registry,
  { log, reader }: Pick<MeasureParts, 'log' | 'reader'>,
  { name, help, labelNames = [] }: { name: string; help: string; labelNames?: string[] },
  read: (gauge: Gauge) => Promise<void>,
): Gauge =>
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    aggregator: 'max',
    async collect() {
      try {
        await reader(() => read(this));
      } catch (error) {
        // Exports the other metrics without this one's stale value.
        this.reset();
        log.error({ err: error, measure: name }, 'a metric could not be read');
      }
    },
  });
