import { apiKey } from '../harness/lab.ts';
import { peakMemory } from '../harness/memory.ts';
import {
  type Contender,
  interleave,
  type Load,
  startGenerator,
  timedRounds,
} from '../harness/rounds.ts';
import { accountId, creatingRequests } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import { createOne, openStage, type Stage } from '../harness/stage.ts';
import { checkAcknowledged, copyIn, copyTexts, reserveIds } from '../harness/store.ts';
import { figure, median } from '../numbers.ts';
import { compare, limit } from '../report.ts';
import type { Case } from './case.ts';

export const mostMegabytes = 220;
const copiedRows = 20_000;

/** Returns the rows per second that COPY writes: requests and events in one transaction. */
async function copyOnce({ lab, sample }: Stage): Promise<number> {
  const { sql } = lab;
  const first = await reserveIds(sql, 'request_ids', copiedRows);
  const firstEvent = await reserveIds(sql, 'record_ids', copiedRows);
  const rows = Array.from({ length: copiedRows }, (_unused, index) => ({
    ...sample,
    id: first + index,
  }));
  const texts = copyTexts(rows, firstEvent, 'bench');
  const begun = performance.now();
  await copyIn(sql, texts);
  return (copiedRows * 1000) / (performance.now() - begun);
}

/** Compares POST /payment-request of the real service with a hand-written handler. */
export const create: Case = async (bench) => {
  const stage = await openStage(bench, createOne);
  const generator = startGenerator(bench);
  const { service, lab } = stage;
  const requests = creatingRequests(apiKey, stage.today);
  const load = (origin: string, capture: boolean): Load => ({ origin, requests, capture });
  const checked = (ids: number[]): Promise<void> => checkAcknowledged(lab.sql, accountId, ids);
  const peaks: number[] = [];
  let acknowledged = 0;

  const settle = (): Promise<void> => settled(lab.sql);
  const flooded = (name: string, origin: string, creates: boolean): Contender => ({
    name,
    settle,
    async run() {
      const run = () => generator.flood(load(origin, creates));
      const { value, megabytes } = await peakMemory(service.pid, run);
      if (origin === service.origin) peaks.push(megabytes);
      await checked(value.ids);
      acknowledged += value.ids.length;
      return value.rate;
    },
  });
  for (const origin of [service.origin, stage.handwritten]) {
    await checked((await generator.warmUp(load(origin, true))).ids);
  }
  for (const origin of [stage.hello, stage.sameBody]) await generator.warmUp(load(origin, false));
  await settle();

  const rates = await interleave(
    [
      flooded('service', service.origin, true),
      flooded('hello', stage.hello, false),
      flooded('same body', stage.sameBody, false),
      flooded('one INSERT', stage.handwritten, true),
      { name: 'COPY', run: () => copyOnce(stage), settle },
    ],
    bench,
  );

  const half = median(rates('service')) / 2;
  const check = async (ids: number[]): Promise<void> => {
    await checked(ids);
    acknowledged += ids.length;
  };
  const timings = await timedRounds(
    generator,
    [
      { name: 'service', load: load(service.origin, true), check, settle },
      // Half of the service's rate may exceed the reference's capacity.
      {
        name: 'by hand',
        load: load(stage.handwritten, true),
        check,
        settle,
        options: { mayLag: true },
      },
      { name: 'hello', load: load(stage.hello, false) },
    ],
    half,
    bench,
  );
  bench.say(`  ${acknowledged} acknowledged ids are in the database with their events`);

  const ours = rates('service');
  const inserts = { ours, reference: rates('one INSERT') };
  return [
    compare(
      'create',
      'req/s',
      inserts,
      { bound: 'least', ratio: 2, of: 'one hand-written durable INSERT for each call' },
      {
        hello: figure(rates('hello'), 'req/s'),
        'same body, no database': figure(rates('same body'), 'req/s'),
        COPY: figure(rates('COPY'), 'rows/s'),
      },
    ),
    compare(
      'create.p99',
      'ms',
      { ours: timings.at('service', 99), reference: timings.at('by hand', 99) },
      { bound: 'most', ratio: 1, of: 'the p99 of the hand-written INSERT at that rate' },
      {
        p50: figure(timings.at('service', 50), 'ms'),
        'p99 of hello at that rate': figure(timings.at('hello', 99), 'ms'),
        'the generator itself late, p99': figure(timings.late('service'), 'ms'),
        'half load': figure([half], 'req/s'),
      },
    ),
    limit('create.memory', figure(peaks, 'MB'), mostMegabytes),
  ];
};
