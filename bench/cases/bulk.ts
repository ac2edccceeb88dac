import { setTimeout as pause } from 'node:timers/promises';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { apiKey, openLab, type Service, startService } from '../harness/lab.ts';
import { peakMemory, residentMegabytes } from '../harness/memory.ts';
import { call, checkQrs, copyQrs, documentOf, qrItems } from '../harness/qrs.ts';
import { type Load, openHello, startGenerator } from '../harness/rounds.ts';
import { creatingRequests } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import { figure, percentile } from '../numbers.ts';
import { compare, limit } from '../report.ts';
import { type Case, Void } from './case.ts';

const documentItems = 100_000;
const mostSeconds = 6;
const mostGrowthMegabytes = 150;
const mostMilliseconds = 100;
/** Other calls per second during an import: a service in use, but not at its limit. */
const callsBeside = 100;
const patienceSeconds = 300;

interface BatchResult {
  state: string;
  created: number;
  error?: string;
}

/** Uploads a document and waits for its completion; returns the seconds. */
async function importOnce(service: Service, document: string): Promise<number> {
  const { id, url } = (await call(service, 'GET', '/bucket-url')) as { id: string; url: string };
  const begun = performance.now();
  const { status } = await fetch(url, { method: 'PUT', body: document });
  if (status !== 200) throw new Void(`The upload was answered with ${status}.`);
  for (;;) {
    const result = (await call(service, 'GET', `/batch-result/${id}/1`)) as BatchResult;
    if (result.state === 'completed') return (performance.now() - begun) / 1000;
    if (result.state === 'failed') throw new Void(`The import failed: ${result.error}`);
    if (performance.now() - begun > patienceSeconds * 1000) {
      throw new Void(`The import was ${result.state} for ${patienceSeconds} s.`);
    }
    await pause(50);
  }
}

/**
 * Imports 100,000 QRs, from the upload's first byte to `completed`, alone and while other calls
 * run.
 */
export const bulk: Case = async (bench) => {
  const lab = await openLab(bench.cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup: bench.cleanup });
  const generator = startGenerator(bench);
  const today = dayOf(wallClock.now());
  const requests = creatingRequests(apiKey, today);
  const load: Load = { origin: service.origin, requests, capture: true };
  await generator.warmUp(load);
  const hello = await openHello(bench, generator);
  await importOnce(service, documentOf(qrItems('warm', 5_000, today)));
  await settled(lab.sql);

  const alone: number[] = [];
  const beside: number[] = [];
  const copied: number[] = [];
  const growth: number[] = [];
  const p50: number[] = [];
  const p99: number[] = [];
  const helloP99: number[] = [];
  for (let round = 1; round <= bench.settings.rounds; round += 1) {
    for (const kind of ['alone', 'beside'] as const) {
      const prefix = `${kind}-${round}`;
      const document = documentOf(qrItems(prefix, documentItems, today));
      const before = residentMegabytes(service.pid);
      const others = kind === 'beside' ? generator.paced(load, callsBeside) : null;
      const run = () => importOnce(service, document);
      const { value, megabytes } = await peakMemory(service.pid, run);
      growth.push(megabytes - before);
      await checkQrs(lab, prefix, { count: documentItems, state: 'pending' });
      (kind === 'alone' ? alone : beside).push(value);
      if (others !== null) {
        const { latencies } = await others;
        p50.push(percentile(latencies, 50));
        p99.push(percentile(latencies, 99));
      }
      await settled(lab.sql);
    }
    helloP99.push(await hello(load, callsBeside));
    copied.push((await copyQrs(lab, `copy-${round}`, documentItems)) / 1000);
    bench.say(
      `  round ${round}: import ${alone.at(-1)?.toFixed(2)} s, COPY ${copied.at(-1)?.toFixed(2)} s`,
    );
  }
  return [
    limit('bulk', figure(alone, 's'), mostSeconds, { 'while others call': figure(beside, 's') }),
    compare(
      'bulk.copy',
      's',
      { ours: alone, reference: copied },
      { bound: 'most', ratio: 3, of: 'COPY of the same rows' },
    ),
    limit('bulk.memory', figure(growth, 'MB'), mostGrowthMegabytes),
    limit('bulk.p99', figure(p99, 'ms'), mostMilliseconds, {
      'p50 of creates beside it': figure(p50, 'ms'),
      'p99 of hello at that rate': figure(helloP99, 'ms'),
    }),
  ];
};
