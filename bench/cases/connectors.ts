import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { apiKey, openLab, type Service, startService } from '../harness/lab.ts';
import { type Generator, openHello, startGenerator } from '../harness/rounds.ts';
import { accountId, creatingRequests } from '../harness/rows.ts';
import { createOne } from '../harness/stage.ts';
import { checkAcknowledged } from '../harness/store.ts';
import { figure, percentile } from '../numbers.ts';
import { compare } from '../report.ts';
import { type Case, Void } from './case.ts';

const hungCharges = 200;
const hangSeconds = 40;
const mostRatio = 1.2;

const manifest = {
  protocol: 1,
  name: 'hanging',
  version: '1.0.0',
  channels: [
    {
      channel: 'DEBIN',
      refunds: [],
      cancel: false,
      answers_within_s: hangSeconds,
      settles_within_s: 600,
    },
  ],
  notices: [],
};

interface Hanging {
  configured: string;
  /** Waits until `count` charges hang at this connector. */
  until(count: number): Promise<void>;
  /** Drops all of them. */
  letGo(): void;
}

/** Starts a connector that accepts charges and never answers. */
async function openHanging(cleanup: AsyncDisposableStack): Promise<Hanging> {
  const hung = new Set<ServerResponse>();
  let heard = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') {
      const known = request.url === '/manifest';
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(known ? manifest : { message: 'unknown' }));
      return;
    }
    hung.add(response);
    response.once('close', () => hung.delete(response));
    heard.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const url = `http://127.0.0.1:${port}`;
  return {
    configured: JSON.stringify([{ name: 'hanging', url, secrets: [secret], channels: ['DEBIN'] }]),
    async until(count) {
      const late = AbortSignal.timeout(hangSeconds * 1000);
      while (hung.size < count) {
        if (late.aborted) throw new Void(`${hung.size} of ${count} charges hang at the connector.`);
        heard = Promise.withResolvers();
        await Promise.race([heard.promise, new Promise((resolve) => setTimeout(resolve, 200))]);
      }
    },
    letGo: () => {
      for (const response of hung) response.destroy();
    },
  };
}

/** Starts paying `count` requests. `left` returns how many are still being paid. */
async function payMany(
  service: Service,
  count: number,
): Promise<{ left: () => number; ended: Promise<unknown> }> {
  let left = count;
  const all: Promise<unknown>[] = [];
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await createOne(service)).id);
  for (const id of ids) {
    const paying = fetch(`${service.origin}/sandbox/pay/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'DEBIN' }),
    });
    const ended = (): void => {
      left -= 1;
    };
    all.push(paying.then((answer) => answer.body?.cancel()).then(ended, ended));
  }
  return { left: () => left, ended: Promise.all(all) };
}

/**
 * Measures the cost of creating while charges hang at a connector, compared with an idle connector.
 */
export const connectors: Case = async (bench) => {
  const lab = await openLab(bench.cleanup);
  const { cleanup, settings } = bench;
  const hanging = await openHanging(cleanup);
  const service = await startService({
    dataDir: lab.dataDir,
    cleanup,
    environment: { CONNECTORS: hanging.configured },
  });
  const generator: Generator = startGenerator(bench);
  const load = () => ({
    origin: service.origin,
    requests: creatingRequests(apiKey, dayOf(wallClock.now())),
    capture: true,
  });
  const checked = async <T extends { ids: number[] }>(run: Promise<T>): Promise<T> => {
    const outcome = await run;
    await checkAcknowledged(lab.sql, accountId, outcome.ids);
    return outcome;
  };
  await checked(generator.warmUp(load()));
  const half = (await checked(generator.flood(load()))).rate / 2;
  const p99 = async (): Promise<number> =>
    percentile((await checked(generator.paced(load(), half))).latencies, 99);

  const hello = await openHello(bench, generator);
  const helloP99: number[] = [];
  const alone: number[] = [];
  const beside: number[] = [];
  const withoutHanging = async (): Promise<void> => {
    alone.push(await p99());
  };
  const withHanging = async (): Promise<void> => {
    const paying = await payMany(service, hungCharges);
    await hanging.until(hungCharges);
    beside.push(await p99());
    if (paying.left() < hungCharges) {
      throw new Void(`Only ${paying.left()} of ${hungCharges} charges hung to the end.`);
    }
    hanging.letGo();
    await paying.ended;
  };
  for (let round = 1; round <= settings.rounds; round += 1) {
    // Alternates the order, so that warm-up and slow-down affect both sides alike.
    const halves = [withoutHanging, withHanging];
    helloP99.push(await hello(load(), half));
    for (const run of round % 2 === 1 ? halves : halves.toReversed()) await run();
    bench.say(`  round ${round} of ${settings.rounds}: ${alone.at(-1)} ms, ${beside.at(-1)} ms`);
  }
  return [
    compare(
      'connectors',
      'ms',
      { ours: beside, reference: alone },
      { bound: 'below', ratio: mostRatio, of: 'p99 of creates at half load while no charge hangs' },
      {
        'p99 of hello at that rate': figure(helloP99, 'ms'),
        'half load': figure([half], 'req/s'),
      },
    ),
  ];
};
