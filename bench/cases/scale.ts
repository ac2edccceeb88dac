import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { apiKey, createDatabase, openLab, openPool, startService } from '../harness/lab.ts';
import { type Contender, type Generator, interleave, startGenerator } from '../harness/rounds.ts';
import { accountId, creatingRequests, readingRequests, sampleRow } from '../harness/rows.ts';
import { checkAcknowledged, type Filled, fill } from '../harness/store.ts';
import { compare, type Target } from '../report.ts';
import type { Bench, Case } from './case.ts';

const few = 1_000;
const many = 1_000_000;

/** A service on a database of its own, with so many requests stored. */
interface Side {
  name: string;
  origin: string;
  sql: Sql;
  stored: Filled;
  /** Brings the database back to its size before a round, if the rounds would change it much. */
  renew(): Promise<void>;
}

async function openFew(bench: Bench, lab: Awaited<ReturnType<typeof openLab>>): Promise<Side> {
  const { url, sql } = await createDatabase(lab, 'bench_few');
  const service = await startService({
    dataDir: lab.dataDir,
    databaseUrl: url,
    cleanup: bench.cleanup,
  });
  // No role of the service may do that.
  const within = new URL(lab.superuserUrl);
  within.pathname = new URL(url).pathname;
  const emptied = openPool(within.href, bench.cleanup);
  const side: Side = {
    name: '1,000',
    origin: service.origin,
    sql,
    stored: await fill(sql, sampleRow(), few),
    async renew() {
      await emptied`truncate requests, events`;
      side.stored = await fill(sql, sampleRow(), few);
      await sql`vacuum analyze requests, events`;
    },
  };
  return side;
}

async function openMany(bench: Bench, lab: Awaited<ReturnType<typeof openLab>>): Promise<Side> {
  const { url, sql } = await createDatabase(lab, 'bench_many');
  const service = await startService({
    dataDir: lab.dataDir,
    databaseUrl: url,
    cleanup: bench.cleanup,
  });
  const begun = performance.now();
  const stored = await fill(sql, sampleRow(), many);
  await sql`vacuum analyze requests, events`;
  await lab.superuser`checkpoint`;
  bench.say(`  1,000,000 stored in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return { name: '1,000,000', origin: service.origin, sql, stored, renew: async () => {} };
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
});

const reading = (side: Side, generator: Generator): Contender => ({
  name: `get at ${side.name}`,
  async run() {
    await side.renew();
    const requests = readingRequests(apiKey, side.stored);
    return (await generator.flood({ origin: side.origin, requests, capture: false })).rate;
  },
});

/** Whether a million stored requests slow down what a thousand did not. */
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
  const target: Target = { bound: 'least', ratio: 0.75, of: 'with 1,000 stored' };
  return ['create', 'get'].map((verb) => {
    const rounds = { ours: rates(`${verb} at 1,000,000`), reference: rates(`${verb} at 1,000`) };
    return compare(`scale.${verb}`, 'req/s', rounds, target);
  });
};
