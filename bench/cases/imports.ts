import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { dayOf } from '../../src/kernel/dates.ts';
import { packageRoot } from '../../src/package-root.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { apiKey, type Lab, openLab, startService } from '../harness/lab.ts';
import { type Generator, type Load, openHello, startGenerator } from '../harness/rounds.ts';
import { accountId, creatingRequests, sampleRow } from '../harness/rows.ts';
import { fill } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { compare, limit } from '../report.ts';
import { type Case, Void } from './case.ts';

const spreadsheetRows = 20_000;
const mostSeconds = 15;
const mostRatio = 2;
const patienceSeconds = 300;

const program = path.join(packageRoot(), 'bin', 'recaudo.js');
const run = promisify(execFile);

/** Runs an operator's command on the case's database. */
async function recaudo({ dataDir }: Lab, ...args: string[]): Promise<Record<string, unknown>> {
  const all = [program, 'imports', ...args, '--account', accountId, '--json'];
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, all, { env, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Writes a spreadsheet of payment requests, each with its own payer. */
async function writeSpreadsheet(file: string, name: string): Promise<void> {
  const due = dayOf(wallClock.now()).add({ days: 20 });
  const lines = Array.from(
    { length: spreadsheetRows },
    (_unused, no) =>
      `Socia ${no} Pérez,Cuota de ${name},${due},${1_000 + (no % 977)}.50,${name}-${no},socia${no}@example.com`,
  );
  const heading =
    'payer_name,description,first_due_date,first_total,external_reference,payer_email';
  await writeFile(file, [heading, ...lines].join('\n'));
}

/**
 * Returns the milliseconds from an import's confirmation to its last row, according to its events.
 */
async function confirmed(lab: Lab, id: number): Promise<number> {
  await recaudo(lab, 'confirm', String(id));
  const until = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const [one] = await lab.sql<{ state: string; created: number }[]>`
      select state, created from imports where account_id = ${accountId} and id = ${id}`;
    if (one?.state === 'failed') throw new Void(`Import ${id} failed.`);
    if (one?.state === 'completed') {
      if (one.created !== spreadsheetRows) throw new Void(`Import ${id} made ${one.created} rows.`);
      break;
    }
    if (performance.now() > until) {
      throw new Void(`Import ${id} was ${one?.state} for ${patienceSeconds} s.`);
    }
    await pause(100);
  }
  const [took] = await lab.sql<{ ms: number }[]>`
    select extract(epoch from max(at) - min(at))::float8 * 1000 as ms from events
    where account_id = ${accountId} and entity = 'import' and entity_id = ${String(id)}
      and type in ('import.confirmed', 'import.completed')`;
  return took?.ms ?? 0;
}

/** Creates requests at an even rate during `work`; returns the milliseconds of each answer. */
async function creating(
  generator: Generator,
  load: Load,
  rate: number,
  work: Promise<unknown>,
): Promise<number[]> {
  let done = false;
  const end = work.finally(() => {
    done = true;
  });
  const all: number[] = [];
  do all.push(...(await generator.paced(load, rate)).latencies);
  while (!done);
  await end;
  return all;
}

/** Imports spreadsheets of 20,000 payment requests, alone and with creating calls at half load. */
export const imports: Case = async (bench) => {
  const { settings, cleanup, say } = bench;
  const lab = await openLab(cleanup);
  const { origin } = await startService({ dataDir: lab.dataDir, cleanup });
  await fill(lab.sql, sampleRow(), settings.rows ?? 100_000);
  await lab.sql`vacuum analyze requests, request_states, events`;
  const generator = startGenerator(bench);
  const load: Load = {
    origin,
    requests: creatingRequests(apiKey, dayOf(wallClock.now())),
    capture: false,
  };
  await generator.warmUp(load);
  const hello = await openHello(bench, generator);
  const helloP99: number[] = [];
  const half = (await generator.flood(load)).rate / 2;
  const alone: number[] = [];
  const beside: number[] = [];
  const p99 = { without: [] as number[], with: [] as number[] };
  const once = async (name: string): Promise<number> => {
    const file = path.join(lab.dataDir, `${name}.csv`);
    await writeSpreadsheet(file, name);
    const { id } = await recaudo(lab, 'upload', file);
    return Number(id);
  };
  for (let round = 1; round <= settings.rounds; round += 1) {
    alone.push((await confirmed(lab, await once(`alone${round}`))) / 1_000);
    p99.without.push(percentile((await generator.paced(load, half)).latencies, 99));
    helloP99.push(await hello(load, half));
    const id = await once(`beside${round}`);
    const work = confirmed(lab, id);
    p99.with.push(percentile(await creating(generator, load, half, work), 99));
    beside.push((await work) / 1_000);
    say(
      `  round ${round}: ${alone.at(-1)?.toFixed(1)} s, beside ${Math.round(half)} creates a second ${beside.at(-1)?.toFixed(1)} s`,
    );
  }
  return [
    limit('imports', figure(alone, 's'), mostSeconds, {
      'beside creates at half load': figure(beside, 's'),
    }),
    compare(
      'imports.p99',
      'ms',
      { ours: p99.with, reference: p99.without },
      { bound: 'below', ratio: mostRatio, of: 'creates at half load alone' },
      { 'p99 of hello at that rate': figure(helloP99, 'ms') },
    ),
  ];
};
