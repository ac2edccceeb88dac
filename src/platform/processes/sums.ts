import { AggregatorRegistry, Registry } from 'prom-client';
import type { Measured } from './messages.ts';

/** Counters outlive the process that counted them. */
const lasting = (measured: Measured): Measured =>
  measured.filter(({ type }) => `${type}` === 'counter' || `${type}` === 'histogram');

/** The metrics of all processes, summed. */
export interface Sums {
  contentType: string;
  /** Keeps the sums of ended processes, so that no counter decreases during a replacement. */
  ended(measured: Measured): void;
  /** Counts a process that ends meanwhile once: by its message, not also as ended. */
  text(measuring: Promise<readonly Measured[]>): Promise<string>;
}

export function createSums(): Sums {
  let gone = Promise.resolve<Measured>([]);
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    ended(measured) {
      gone = gone.then((before) =>
        AggregatorRegistry.aggregate([before, lasting(measured)]).getMetricsAsJSON(),
      );
    },
    async text(measuring) {
      const before = gone;
      return await AggregatorRegistry.aggregate([await before, ...(await measuring)]).metrics();
    },
  };
}
