import { availableParallelism } from 'node:os';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { apiKey, createDatabase, type Lab, openLab, startService } from '../harness/lab.ts';
import type { Request } from '../harness/load.ts';
import { interleave, startGenerator } from '../harness/rounds.ts';
import { accountId, creatingRequests, readingRequests, sampleRow } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import { checkAcknowledged, type Filled, fill } from '../harness/store.ts';
import { compare, type Result, type Target } from '../report.ts';
import type { Bench, Case } from './case.ts';

const storedRows = 1_000;
/** With fewer cores, none would be left for the database and the load. */
const coresForMany = 8;
const leastOfCores = 0.8;

interface Side {
  processes: number;
  origin: string;
  sql: Sql;
  stored: Filled;
}

async function openSide({ cleanup }: Bench, lab: Lab, processes: number): Promise<Side> {
  const { url, sql } = await createDatabase(lab, `bench_${processes}`);
  const { origin } = await startService({
    dataDir: lab.dataDir,
    databaseUrl: url,
    cleanup,
    environment: { PROCESSES: String(processes) },
  });
  return { processes, origin, sql, stored: await fill(sql, sampleRow(), storedRows) };
}

/** Compares one process with several on one port, each side on its own database, in turns. */
async function against(bench: Bench, sides: [Side, Side], target: Target): Promise<Result[]> {
  const [one, several] = sides;
  // A single sender would be the bottleneck of many processes.
  const sender = startGenerator(bench);
  const senders = several.processes > 2 ? [sender, startGenerator(bench)] : [sender];
  const creates = creatingRequests(apiKey, dayOf(wallClock.now()));
  const share = async (side: Side, requests: Request[], capture: boolean) => {
    const load = { origin: side.origin, requests, capture };
    const outcomes = await Promise.all(senders.map((one) => one.flood(load)));
    await checkAcknowledged(
      side.sql,
      accountId,
      outcomes.flatMap(({ ids }) => ids),
    );
    return outcomes.reduce((sum, { rate }) => sum + rate, 0);
  };
  const warmUp = async (side: Side, requests: Request[], capture: boolean): Promise<void> => {
    const { ids } = await sender.warmUp({ origin: side.origin, requests, capture });
    await checkAcknowledged(side.sql, accountId, ids);
  };
  const reads = (side: Side) => readingRequests(apiKey, side.stored);
  const name = (verb: string, side: Side) => `${verb} by ${side.processes}`;
  for (const side of sides) {
    // Each process compiles its own code.
    for (let turn = 0; turn < side.processes; turn += 1) {
      await warmUp(side, creates, true);
      await warmUp(side, reads(side), false);
    }
    await settled(side.sql);
  }
  const rates = await interleave(
    [
      ...sides.map((side) => ({
        name: name('create', side),
        run: () => share(side, creates, true),
        settle: () => settled(side.sql),
      })),
      ...sides.map((side) => ({
        name: name('get', side),
        run: () => share(side, reads(side), false),
      })),
    ],
    bench,
  );
  return ['create', 'get'].map((verb) =>
    compare(
      `cores.${several.processes}.${verb}`,
      'req/s',
      { ours: rates(name(verb, several)), reference: rates(name(verb, one)) },
      target,
    ),
  );
}

/** Compares several processes on one port with one process. */
export const cores: Case = async (bench) => {
  const lab = await openLab(bench.cleanup);
  const one = await openSide(bench, lab, 1);
  const results: Result[] = await against(bench, [one, await openSide(bench, lab, 2)], {
    bound: 'least',
    ratio: 1,
    of: 'one process',
  });
  const available = availableParallelism();
  if (available < coresForMany) {
    bench.say(
      `  skipped: a process a core, for which ${coresForMany} cores are needed; there are ${available}`,
    );
    return results;
  }
  // The other half of the cores is for the database and the load.
  const many = Math.floor(available / 2);
  const target: Target = { bound: 'least', ratio: leastOfCores * many, of: 'one process' };
  return [...results, ...(await against(bench, [one, await openSide(bench, lab, many)], target))];
};
