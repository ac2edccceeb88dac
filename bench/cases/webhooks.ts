import { createServer } from 'node:net';
import { variables } from '../../src/config/index.ts';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { type Child, startChild } from '../harness/child.ts';
import { registerWebhook, writePaidEvents } from '../harness/events.ts';
import { apiKey, createDatabase, type Lab, openLab, startService } from '../harness/lab.ts';
import { type Generator, interleave, startGenerator } from '../harness/rounds.ts';
import { accountId, creatingRequests } from '../harness/rows.ts';
import { settled } from '../harness/settle.ts';
import { checkAcknowledged } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import type { PostLoopOrder } from '../references/post-loop.ts';
import type { ReceiverOrder, ReceiverReply } from '../references/receiver.ts';
import { compare, floor, limit, type Result } from '../report.ts';
import { type Bench, type Case, Void } from './case.ts';

const leastPerSecond = 3_000;
const mostMilliseconds = 250;
const leastOfUndisturbed = 0.85;

const eventsInARound = 12_000;
const eventsTimed = 100;
const eventsForTheDead = 5_000;
const deadReceivers = 10;
const longestSeconds = 120;

const concurrency = Number(variables.WEBHOOK_CONCURRENCY.fallback);

const moment = (): number => performance.timeOrigin + performance.now();

/** An integrator's server in its own process. */
class Receiver {
  readonly #child: Child<ReceiverOrder, ReceiverReply>;

  constructor({ cleanup }: Bench) {
    this.#child = startChild('receiver', cleanup);
  }

  async open(): Promise<string> {
    const reply = await this.#child.ask({ kind: 'open' });
    if (!('origin' in reply)) throw new Void('The receiver did not open.');
    return `${reply.origin}/hook`;
  }

  /** Returns the arrival times of `count` events. */
  async arrivals(count: number): Promise<Map<string, number>> {
    const reply = await this.#child.ask({ kind: 'await', count, seconds: longestSeconds });
    if (!('arrivals' in reply)) throw new Void('The receiver counted nothing.');
    return reply.arrivals;
  }
}

/** Returns events per second, from their commit to the last arrival. */
async function deliveredPerSecond(sql: Sql, receiver: Receiver, count: number): Promise<number> {
  const [arrivals, begun] = await Promise.all([
    receiver.arrivals(count),
    writePaidEvents(sql, accountId, count).then(moment),
  ]);
  return (count * 1000) / (Math.max(...arrivals.values()) - begun);
}

/** Returns the milliseconds from commit to arrival, one event at a time. */
async function latencies(sql: Sql, receiver: Receiver): Promise<number[]> {
  const measured: number[] = [];
  for (let turn = 0; turn < eventsTimed; turn += 1) {
    const [arrivals, committed] = await Promise.all([
      receiver.arrivals(1),
      writePaidEvents(sql, accountId, 1).then(moment),
    ]);
    const [arrived = Number.NaN] = arrivals.values();
    measured.push(Math.max(0, arrived - committed));
    // A varying delay, so that commits hit every phase of the dispatcher's cycle.
    await new Promise((resolve) => setTimeout(resolve, (turn * 37) % 110));
  }
  return measured;
}

const bodyLike = (index: number): string =>
  JSON.stringify({
    entity_name: 'payment_request',
    type: 'payment_request.paid',
    entity_id: index,
    created_at: '2026-12-01T12:00:00-03:00',
    payload: {
      state: 'paid',
      external_reference: `contract-${index}`,
      request_result_id: index,
      amount: 1430.5,
    },
  });

async function rateAndLatency(bench: Bench, lab: Lab): Promise<Result[]> {
  const { url, sql } = await createDatabase(lab, 'bench_webhooks');
  const { cleanup } = bench;
  const service = await startService({ dataDir: lab.dataDir, databaseUrl: url, cleanup });
  const receiver = new Receiver(bench);
  const address = await receiver.open();
  await registerWebhook(sql, accountId, address);
  const loop: Child<PostLoopOrder, number> = startChild('post-loop', cleanup);
  const bodies = Array.from({ length: eventsInARound }, (_unused, index) => bodyLike(index));
  await deliveredPerSecond(sql, receiver, eventsInARound / 4);
  await sql`vacuum analyze deliveries, delivery_attempts, events, outbox, webhooks`;

  const rates = await interleave(
    [
      { name: 'service', run: () => deliveredPerSecond(sql, receiver, eventsInARound) },
      {
        name: 'loop',
        async run() {
          const [rate] = await Promise.all([
            loop.ask({ url: address, bodies, concurrency }),
            receiver.arrivals(bodies.length),
          ]);
          return rate;
        },
      },
    ],
    bench,
  );
  const timed = await latencies(sql, receiver);
  await service.stop();
  const ours = rates('service');
  const p95 = figure([percentile(timed, 95)], 'ms');
  const p50 = figure([percentile(timed, 50)], 'ms');
  return [
    floor('webhooks.rate', figure(ours, 'events/s'), leastPerSecond),
    compare(
      'webhooks.loop',
      'events/s',
      { ours, reference: rates('loop') },
      { bound: 'least', ratio: 0.4, of: 'the same bodies posted in a loop, no database' },
    ),
    limit('webhooks.latency', p95, mostMilliseconds, { p50 }),
  ];
}

/** Opens receivers that accept connections and never answer. */
async function openDead(count: number, { cleanup }: Bench): Promise<string[]> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.defer(() => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return Array.from({ length: count }, (_unused, index) => `http://127.0.0.1:${port}/${index}`);
}

interface Side {
  name: string;
  origin: string;
  sql: Sql;
}

async function openSide(bench: Bench, lab: Lab, name: string, dead: string[]): Promise<Side> {
  const { url, sql } = await createDatabase(lab, `bench_${name}`);
  const { cleanup } = bench;
  const service = await startService({ dataDir: lab.dataDir, databaseUrl: url, cleanup });
  for (const address of dead) await registerWebhook(sql, accountId, address);
  await writePaidEvents(sql, accountId, eventsForTheDead);
  return { name, origin: service.origin, sql };
}

const creating = (side: Side, generator: Generator) => async (): Promise<number> => {
  const requests = creatingRequests(apiKey, dayOf(wallClock.now()));
  const { rate, ids } = await generator.flood({ origin: side.origin, requests, capture: true });
  await checkAcknowledged(side.sql, accountId, ids);
  return rate;
};

/** Measures the cost of creating while every receiver hangs and has events waiting. */
async function besideTheDead(bench: Bench, lab: Lab): Promise<Result> {
  const sides = [
    await openSide(bench, lab, 'undisturbed', []),
    await openSide(bench, lab, 'dead', await openDead(deadReceivers, bench)),
  ];
  const generator = startGenerator(bench);
  for (const { origin } of sides) {
    const requests = creatingRequests(apiKey, dayOf(wallClock.now()));
    await generator.warmUp({ origin, requests, capture: true });
  }
  const contenders = sides.map((side) => ({
    name: side.name,
    run: creating(side, generator),
    settle: () => settled(side.sql),
  }));
  const rates = await interleave(contenders, bench);
  const rounds = { ours: rates('dead'), reference: rates('undisturbed') };
  return compare('webhooks.dead', 'req/s', rounds, {
    bound: 'least',
    ratio: leastOfUndisturbed,
    of: 'creating with no webhook',
  });
}

/** Measures webhook rate and delay, and the cost of dead receivers for creating calls. */
export const webhooks: Case = async (bench) => {
  const lab = await openLab(bench.cleanup);
  return [...(await rateAndLatency(bench, lab)), await besideTheDead(bench, lab)];
};
