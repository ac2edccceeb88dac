import { AggregatorRegistry, Registry } from 'prom-client';
import type { Measured } from './messages.ts';

/** What only goes up is not forgotten with the process that counted it. */
const lasting = (measured: Measured): Measured =>
  measured.filter(({ type }) => `${type}` === 'counter' || `${type}` === 'histogram');

/** What all processes measure, added up. */
export interface Sums {
  contentType: string;
  /** Those of processes that ended are kept: no sum goes down while one takes another's place. */
  ended(measured: Measured): void;
  /** One that ends while the others are measured is counted as it told, and not as gone too. */
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
