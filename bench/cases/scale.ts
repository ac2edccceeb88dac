import { statfs } from 'node:fs/promises';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import {
  apiKey,
  createDatabase,
  type Lab,
  openLab,
  openPool,
  startService,
} from '../harness/lab.ts';
import { type Contender, type Generator, interleave, startGenerator } from '../harness/rounds.ts';
import { accountId, creatingRequests, readingRequests, sampleRow } from '../harness/rows.ts';
import { sealed, settled, withoutWords } from '../harness/settle.ts';
import { checkAcknowledged, type Filled, fill } from '../harness/store.ts';
import { compare, type Target } from '../report.ts';
import { type Bench, type Case, Void } from './case.ts';

const few = 1_000;
const manyByDefault = 1_000_000;
const leastRatio = 0.85;
/** Disk space per stored request, including event, indexes, seals and WAL. */
const bytesARow = 4_000;

/** A service on its own database with a given number of requests. */
interface Side {
  name: string;
  origin: string;
  sql: Sql;
  stored: Filled;
  /** Restores the database to its initial size before a round, if rounds change it much. */
  renew(): Promise<void>;
}

async function openFew(bench: Bench, lab: Lab): Promise<Side> {
  const { url, sql } = await createDatabase(lab, 'bench_few');
  const service = await startService({
    dataDir: lab.dataDir,
    databaseUrl: url,
    cleanup: bench.cleanup,
  });
  // Only a superuser may empty these tables.
  const within = new URL(lab.superuserUrl);
  within.pathname = new URL(url).pathname;
  const emptied = openPool(within.href, bench.cleanup);
  const side: Side = {
    name: String(few),
    origin: service.origin,
    sql,
    stored: await fill(sql, sampleRow(), few),
    async renew() {
      await emptied`truncate requests, events`;
      side.stored = await fill(sql, sampleRow(), few);
      await sql`vacuum analyze requests, request_states, events`;
    },
  };
  return side;
}

/** Voids the case unless the disk has room for `rows` requests. */
async function refuseUnlessRoom(lab: Lab, rows: number): Promise<void> {
  const { bavail, bsize } = await statfs(lab.dataDir);
  const free = bavail * bsize;
  if (free > rows * bytesARow) return;
  const [wanted, there] = [rows * bytesARow, free].map((bytes) => (bytes / 1e9).toFixed(1));
  throw new Void(`${rows} rows need ${wanted} GB of disk; ${there} GB are free.`);
}

async function openMany(bench: Bench, lab: Lab): Promise<Side> {
  const count = bench.settings.rows ?? manyByDefault;
  await refuseUnlessRoom(lab, count);
  const { url, sql } = await createDatabase(lab, 'bench_many');
  const service = await startService({
    dataDir: lab.dataDir,
    databaseUrl: url,
    cleanup: bench.cleanup,
  });
  const begun = performance.now();
  const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(0);
  const stored = await fill(sql, sampleRow(), count);
  await sql`vacuum analyze requests, request_states, events`;
  bench.say(`  ${count} stored in ${seconds()} s`);
  // Sealing the backlog is not part of a call's cost.
  await sealed(sql, bench.settings.minutes * 60);
  await withoutWords(sql);
  await lab.superuser`checkpoint`;
  const [size] = await sql<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  bench.say(`  sealed after ${seconds()} s; ${((size?.bytes ?? 0) / 1e9).toFixed(1)} GB`);
  return { name: String(count), origin: service.origin, sql, stored, renew: async () => {} };
}

const creating = (side: Side, generator: Generator): Contender => ({
  name: `create at ${side.name}`,
  async run() {
    await side.renew();
    const requests = creatingRequests(apiKey, dayOf(wallClock.now()));
    const { rate, ids } = await generator.flood({ origin: side.origin, requests, capture: true });
    await checkAcknowledged(side.sql, accountId, ids);
    return rate;
  },
  settle: () => settled(side.sql),
});

const reading = (side: Side, generator: Generator): Contender => ({
  name: `get at ${side.name}`,
  async run() {
    await side.renew();
    const requests = readingRequests(apiKey, side.stored);
    return (await generator.flood({ origin: side.origin, requests, capture: false })).rate;
  },
});

/** Compares a million stored requests, or `--rows`, with a thousand. */
export const scale: Case = async (bench) => {
  const lab = await openLab(bench.cleanup);
  const sides = [await openFew(bench, lab), await openMany(bench, lab)];
  const generator = startGenerator(bench);
  for (const { origin, sql, stored } of sides) {
    const creates = creatingRequests(apiKey, dayOf(wallClock.now()));
    const { ids } = await generator.warmUp({ origin, requests: creates, capture: true });
    await checkAcknowledged(sql, accountId, ids);
    const reads = readingRequests(apiKey, stored);
    await generator.warmUp({ origin, requests: reads, capture: false });
  }
  const contenders = [
    ...sides.map((side) => creating(side, generator)),
    ...sides.map((side) => reading(side, generator)),
  ];
  const rates = await interleave(contenders, bench);
  const target: Target = { bound: 'least', ratio: leastRatio, of: 'with 1,000 stored' };
  return ['create', 'get'].map((verb) => {
    const [less, more] = sides.map(({ name }) => rates(`${verb} at ${name}`));
    const rounds = { ours: more ?? [], reference: less ?? [] };
    return compare(`scale.${verb}`, 'req/s', rounds, target);
  });
};
