import { Gauge, type Registry } from 'prom-client';
import type { Base } from '../platform/base.ts';
import { doing } from '../platform/postgres/deadlines.ts';

export interface MeasureParts extends Pick<Base, 'sql' | 'log' | 'clocks'> {
  reader: Reader;
}

/** A scrape waits no longer for the database: the primary of several processes asks for 2 s. */
export const longestReadMs = 1_500;

/** Rejects if a read is late. */
export async function inTime<T>(read: Promise<T>, leftMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), leftMs);
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads one after the other, so that a scrape takes one connection from calls. */
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

/** A gauge of the shared database: processes report the same figure, so take the maximum. */
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
        // The other metrics are exported all the same, and this one without its stale value.
        this.reset();
        log.error({ err: error, measure: name }, 'a measure could not be read');
      }
    },
  });
