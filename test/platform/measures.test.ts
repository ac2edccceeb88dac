import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { Measured } from '../../src/platform/processes/messages.ts';
import { createSums } from '../../src/platform/processes/sums.ts';

/** Returns the measures of a process after `calls` calls. */
async function answered(calls: number): Promise<Measured> {
  const registry = new Registry();
  new Counter({ name: 'calls', help: 'calls', registers: [registry] }).inc(calls);
  return await registry.getMetricsAsJSON();
}

test('counts a process once if it ends during the measurement', async () => {
  const sums = createSums();
  const [one, other] = await Promise.all([answered(5), answered(7)]);
  const measuring = Promise.withResolvers<Measured[]>();
  const text = sums.text(measuring.promise);
  sums.ended(other);
  measuring.resolve([one, other]);
  expect(await text).toMatch(/^calls 12$/m);
  expect(await sums.text(Promise.resolve([one]))).toMatch(/^calls 12$/m);
});
