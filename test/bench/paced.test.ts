import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type PacedOrder, runPaced } from '../../bench/harness/paced.ts';
import { inTurn } from '../../bench/harness/rounds.ts';

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const orderTo = (origin: string, more: Partial<PacedOrder> = {}): PacedOrder => ({
  kind: 'paced',
  origin,
  connections: 1,
  seconds: 0.5,
  rate: 200,
  part: { no: 0, of: 1 },
  startAt: performance.timeOrigin + performance.now(),
  requests: [{ method: 'GET', path: '/one' }],
  capture: false,
  patience: 20,
  ...more,
});

test('counts the waiting time of every request that is due while the server stalls', async () => {
  let answered = 0;
  const origin = await listening(async (_request, response) => {
    answered += 1;
    if (answered === 10) await pause(300);
    response.end('{"id":1}');
  });
  const { latencies, count, fault } = await runPaced(orderTo(origin, { capture: true }));
  expect(fault).toBeNull();
  expect(count).toBe(100);
  // 60 were due in those 300 ms; a generator that waits with the server would have seen one.
  expect(latencies.filter((ms) => ms > 100).length).toBeGreaterThan(25);
});

test('shares the requests among several senders, and returns their times in sending order', async () => {
  const seen: string[] = [];
  const origin = await listening((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  const requests = Array.from({ length: 100 }, (_none, no) => ({
    method: 'GET' as const,
    path: `/${no}`,
  }));
  const startAt = performance.timeOrigin + performance.now() + 50;
  const parts = [0, 1].map((no) =>
    runPaced(orderTo(origin, { requests, startAt, part: { no, of: 2 } })),
  );
  const outcomes = await Promise.all(parts);
  expect(seen.toSorted()).toEqual(requests.map(({ path }) => path).toSorted());
  expect(outcomes.map(({ count }) => count)).toEqual([50, 50]);
  expect(
    inTurn([
      [0, 2, 4],
      [1, 3],
    ]),
  ).toEqual([0, 1, 2, 3, 4]);
});

test('reports an answer other than 2xx with its text', async () => {
  const origin = await listening((_request, response) => {
    response.writeHead(409).end('already paid');
  });
  const { fault } = await runPaced(orderTo(origin, { seconds: 0.05 }));
  expect(fault).toContain('409 already paid');
});

test('ends the run if answers are missing, and counts the time spent waiting for them', async () => {
  const origin = await listening((request) => request.resume());
  const order = orderTo(origin, { seconds: 0.1, connections: 4, patience: 1 });
  const { unanswered, latencies, count } = await runPaced(order);
  expect(unanswered).toBe(20);
  expect(count).toBe(0);
  expect(Math.min(...latencies)).toBeGreaterThan(900);
});
