import { AggregatorRegistry, Registry } from 'prom-client';
import type { Measured } from './messages.ts';

/** Returns the counters and histograms, which outlive their process. */
const lasting = (measured: Measured): Measured =>
  measured.filter(({ type }) => `${type}` === 'counter' || `${type}` === 'histogram');

/** Sums of all processes' metrics. */
export interface Sums {
  contentType: string;
  /** Adds an ended process's sums, so that no counter decreases on a replacement. */
  ended(measured: Measured): void;
  /**
   * Returns the sums as text. A process that ends meanwhile counts once: by its last message, and
   * not among the ended ones.
   */
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
