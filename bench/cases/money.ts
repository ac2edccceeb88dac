import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { dayOf } from '../../src/kernel/dates.ts';
import { toJsonNumber } from '../../src/kernel/money.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { copyOut, drain } from '../harness/copy-out.ts';
import { apiKey, openLab, startService } from '../harness/lab.ts';
import { peakMemory, residentMegabytes } from '../harness/memory.ts';
import { copyResults, fillDay, fillEntries, openRecorder, unpaid } from '../harness/money.ts';
import { interleave, openHello, startGenerator } from '../harness/rounds.ts';
import { accountId } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import type { Filled } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { compare, floor, limit } from '../report.ts';
import { type Case, Void } from './case.ts';

const fileLines = 100_000;
const leastPostings = 8_000;

/** Posts a file's lines to one account while the service seals. */
export const posting: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  await startService({ dataDir: lab.dataDir, cleanup });
  const record = await openRecorder(lab);
  const lines = settings.rows ?? fileLines;
  await record(await unpaid(lab.sql, Math.min(lines, 4_000)));
  const ours: number[] = [];
  const copy: number[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    const stored = await unpaid(lab.sql, lines);
    await settled(lab.sql);
    const begun = performance.now();
    await record(stored);
    ours.push((lines * 1000) / (performance.now() - begun));
    await settled(lab.sql);
    copy.push(await copyResults(lab, stored));
    say(`  round ${round}: ${Math.round(ours.at(-1) ?? 0)} collections a second`);
  }
  return [
    floor('posting', figure(ours, 'collections/s'), leastPostings),
    compare(
      'posting.copy',
      'rows/s',
      { ours, reference: copy },
      { bound: 'least', ratio: 0.18, of: 'COPY of the bare results' },
    ),
  ];
};

const dayRows = 1_000_000;
const leastRatio = 0.55;
const mostFirstByteMs = 1_000;
const mostGrowthMegabytes = 100;

interface Read {
  seconds: number;
  firstByteMs: number;
}

/** Reads a report at full speed, and checks its total. */
async function readReport(origin: string, day: Temporal.PlainDate, total: number): Promise<Read> {
  const begun = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    get(`${origin}/report/collection/${day}`, { headers, agent: false }, resolve).once(
      'error',
      reject,
    );
  });
  let firstByteMs: number | null = null;
  let end = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    firstByteMs ??= performance.now() - begun;
    end = (end + chunk.subarray(-200).toString()).slice(-200);
  }
  if (response.statusCode !== 200 || !end.includes(`"total_collected":${total},`)) {
    throw new Void(`The report answered ${response.statusCode} and ended with ${end}`);
  }
  return { seconds: (performance.now() - begun) / 1000, firstByteMs: firstByteMs ?? 0 };
}

/** Reads a report's rows directly from the database. */
const copyDay = (url: string, day: Temporal.PlainDate): Promise<void> =>
  copyOut(
    url,
    `copy (select informed_at, request_id, reference, payer, description, paid_at, channel_label,
        amount, net_fee, fee_iva, available_on
      from results where account_id = '${accountId}' and informed_on = '${day}'
        and type = 'collected' order by id) to stdout`,
    drain,
  );

/** Compares the collection report of a busy day with COPY of the same rows. */
export const report: Case = async (bench) => {
  const { settings, cleanup } = bench;
  const lab = await openLab(cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  const rows = settings.rows ?? dayRows;
  const day = dayOf(wallClock.now()).subtract({ days: 1 });
  const total = toJsonNumber((await fillDay(lab.sql, rows, day)).total);
  await readReport(service.origin, day, total);
  const rested = residentMegabytes(service.pid);
  const growth: number[] = [];
  const firstBytes: number[] = [];
  const rates = await interleave(
    [
      {
        name: 'report',
        async run() {
          const read = () => readReport(service.origin, day, total);
          const { value, megabytes } = await peakMemory(service.pid, read);
          growth.push(Math.max(0, megabytes - rested));
          firstBytes.push(value.firstByteMs);
          return rows / value.seconds;
        },
      },
      {
        name: 'COPY',
        async run() {
          const begun = performance.now();
          await copyDay(lab.url, day);
          return (rows * 1000) / (performance.now() - begun);
        },
      },
    ],
    bench,
  );
  const target = { bound: 'least', ratio: leastRatio, of: 'COPY of the same rows' } as const;
  const rounds = { ours: rates('report'), reference: rates('COPY') };
  return [
    compare('report', 'rows/s', rounds, target),
    limit('report.first-byte', figure(firstBytes, 'ms'), mostFirstByteMs),
    limit('report.memory', figure(growth, 'MB'), mostGrowthMegabytes),
  ];
};

const storedEntries = 10_000_000;
const mostBalanceMs = 5;
const balancesPerSecond = 100;
/** Lines per statement, at the pace that posting must sustain. */
const hotLines = 2_000;
const hotEveryMs = (hotLines * 1000) / leastPostings;

/** Posts at an even rate until `signal`, one statement at a time; returns the rate per second. */
async function postEvenly(
  record: (stored: Filled) => Promise<void>,
  stored: Filled,
  signal: AbortSignal,
): Promise<number> {
  const begun = performance.now();
  let posted = 0;
  while (!signal.aborted && posted < stored.count) {
    await record({ first: stored.first + posted, count: hotLines });
    posted += hotLines;
    const due = begun + (posted / hotLines) * hotEveryMs;
    await setTimeout(Math.max(0, due - performance.now()));
  }
  return (posted * 1000) / (performance.now() - begun);
}

/** Measures GET /account/balances with a long history, while payments are posted to the account. */
export const balances: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  const service = await startService({ dataDir: lab.dataDir, cleanup });
  const today = dayOf(wallClock.now());
  await fillEntries(lab.sql, settings.rows ?? storedEntries, today.subtract({ days: 1 }));
  const record = await openRecorder(lab);
  const generator = startGenerator(bench);
  const headers = { authorization: `Bearer ${apiKey}` };
  const requests = [{ method: 'GET' as const, path: '/account/balances', headers }];
  const load = { origin: service.origin, requests, capture: false };
  await generator.warmUp(load);

  const hello = await openHello(bench, generator);

  const beside: number[] = [];
  const alone: number[] = [];
  const helloP95: number[] = [];
  const postings: number[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    helloP95.push(await hello(load, balancesPerSecond, 95));
    alone.push(percentile((await generator.paced(load, balancesPerSecond)).latencies, 95));
    const stored = await unpaid(lab.sql, hotLines * 10 * settings.seconds);
    const reading = new AbortController();
    const posts = postEvenly(record, stored, reading.signal);
    const { latencies } = await generator.paced(load, balancesPerSecond);
    reading.abort();
    postings.push(await posts);
    beside.push(percentile(latencies, 95));
    say(
      `  round ${round}: p95 ${beside.at(-1)?.toFixed(1)} ms, alone ${alone.at(-1)?.toFixed(1)} ms`,
    );
  }
  return [
    limit('balances.p95', figure(beside, 'ms'), mostBalanceMs, {
      'p95 of hello at that rate': figure(helloP95, 'ms'),
      'posted meanwhile': figure(postings, 'collections/s'),
    }),
    compare(
      'balances.alone',
      'ms',
      { ours: beside, reference: alone },
      { bound: 'most', ratio: 3, of: 'the p95 of as many calls while nothing is posted' },
    ),
  ];
};
