import { apiKey, pool } from '../harness/lab.ts';
import { peakMemory } from '../harness/memory.ts';
import { type Contender, interleave, startGenerator, timedRounds } from '../harness/rounds.ts';
import { readingRequests, sampleRow } from '../harness/rows.ts';
import { openStage, startReference } from '../harness/stage.ts';
import { type Filled, fill } from '../harness/store.ts';
import { figure, median } from '../numbers.ts';
import type { HandwrittenOptions } from '../references/handwritten/server.ts';
import { compare, limit } from '../report.ts';
import { type Case, Void } from './case.ts';
import { mostMegabytes } from './create.ts';

const storedRows = 1_000;

/**
 * Compares GET /payment-request/{id} of the real service with the same answer without a database.
 */
export const get: Case = async (bench) => {
  const stored: Filled = { first: 0, count: 0 };
  const stage = await openStage(bench, async ({ origin }, { sql }) => {
    Object.assign(stored, await fill(sql, sampleRow(), storedRows));
    await sql`vacuum analyze requests, events, results`;
    const response = await fetch(`${origin}/payment-request/${stored.first}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const body = (await response.json()) as { id?: unknown };
    if (body.id !== stored.first) throw new Void(`GET answered ${JSON.stringify(body)}.`);
    return body;
  });
  const generator = startGenerator(bench);
  const { service, lab } = stage;
  const options: HandwrittenOptions = { databaseUrl: lab.url, pool };
  const sameRoute = await startReference('same-route', options, bench.cleanup);
  const requests = readingRequests(apiKey, stored);
  const load = (origin: string) => ({ origin, requests, capture: false });
  const peaks: number[] = [];

  const flooded = (name: string, origin: string): Contender => ({
    name,
    async run() {
      const run = () => generator.flood(load(origin));
      const { value, megabytes } = await peakMemory(service.pid, run);
      if (origin === service.origin) peaks.push(megabytes);
      return value.rate;
    },
  });
  const origins = [service.origin, stage.hello, stage.sameBody, sameRoute, stage.handwritten];
  for (const origin of origins) await generator.warmUp(load(origin));

  const rates = await interleave(
    [
      flooded('service', service.origin),
      flooded('hello', stage.hello),
      flooded('same body', stage.sameBody),
      flooded('same route', sameRoute),
      flooded('one SELECT', stage.handwritten),
    ],
    bench,
  );
  const half = median(rates('service')) / 2;
  const timings = await timedRounds(
    generator,
    [
      { name: 'service', load: load(service.origin) },
      { name: 'by hand', load: load(stage.handwritten), options: { mayLag: true } },
      { name: 'hello', load: load(stage.hello) },
    ],
    half,
    bench,
  );
  const ours = rates('service');
  return [
    compare(
      'get',
      'req/s',
      { ours, reference: rates('one SELECT') },
      { bound: 'least', ratio: 4.5, of: 'one hand-written SELECT for each call' },
      {
        hello: figure(rates('hello'), 'req/s'),
        'by hand with a row from memory': figure(rates('same route'), 'req/s'),
      },
    ),
    compare(
      'get.bare',
      'req/s',
      { ours, reference: rates('same body') },
      { bound: 'least', ratio: 0.6, of: 'the same body without a database' },
    ),
    compare(
      'get.p99',
      'ms',
      { ours: timings.at('service', 99), reference: timings.at('hello', 99) },
      { bound: 'most', ratio: 4, of: 'the p99 of hello at that rate' },
      {
        p50: figure(timings.at('service', 50), 'ms'),
        'p99 of the hand-written SELECT at that rate': figure(timings.at('by hand', 99), 'ms'),
        'the generator itself late, p99': figure(timings.late('service'), 'ms'),
        'half load': figure([half], 'req/s'),
      },
    ),
    limit('get.memory', figure(peaks, 'MB'), mostMegabytes),
  ];
};
