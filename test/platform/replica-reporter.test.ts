import { expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createReporter } from '../../src/platform/replica/reporter.ts';
import type { Standing } from '../../src/platform/replica/standing.ts';

const inUse: Standing = { kind: 'in use', staleMs: 100, lagMs: 0 };
const away: Standing = { kind: 'away', message: 'gone' };
const unknown: Standing = { kind: 'unknown' };

/** Collects the log and `recaudo_replica_in_use`. */
function watch() {
  const lines: string[] = [];
  const metrics = createMetrics();
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) });
  const report = createReporter({ log, metrics });
  return {
    lines,
    looks: (...standings: Standing[]) => standings.forEach(report),
    inUse: async () => (await metrics.replicaInUse.get()).values[0]?.value,
  };
}

test('ignores another process’s position that has not reached the replica yet', async () => {
  const { lines, looks, inUse: measured } = watch();
  looks(unknown);
  expect(await measured()).toBe(0);
  looks(inUse, unknown);
  expect(await measured()).toBe(1);
  looks(away, unknown);
  expect(await measured()).toBe(0);
  expect(lines).toEqual(['the replica serves reports, exports, lists and the feed']);
});

test('reports an outage and its recovery despite another process’s positions', () => {
  const { lines, looks } = watch();
  looks(inUse);
  for (let index = 0; index < 4; index += 1) looks(away, unknown);
  for (let index = 0; index < 10; index += 1) looks(inUse, unknown);
  expect(lines).toEqual([
    'the replica serves reports, exports, lists and the feed',
    'the replica is unreachable: reads go to the primary',
    'the replica serves reports, exports, lists and the feed',
  ]);
});
