import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServing } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Sends one call of a load balancer over its kept-alive connections. */
async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  const asked = request(url, { agent });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

/** Sends calls without a pause until the process is not ready, as a load balancer would. */
async function loadUntilLeft(origin: string): Promise<{ calls: number; faults: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const faults: string[] = [];
  let calls = 0;
  for (let ready = true; ready; calls += 1) {
    try {
      ready = (await ask(`${origin}/readyz`, agent)).statusCode === 200;
      const { statusCode } = await ask(`${origin}/status`, agent);
      if (statusCode !== 200) faults.push(`status ${statusCode}`);
    } catch (error) {
      faults.push(String(error));
      break;
    }
  }
  agent.destroy();
  return { calls, faults };
}

test.each([
  ['one process', '1'],
  ['two processes', '2'],
])(
  'resets no call during a stop of %s under load, and answers new ones while draining',
  async (_, processes) => {
    const serving = await startServing({
      DATABASE_URL: database.url,
      PROCESSES: processes,
      DRAIN_SECONDS: '3',
    });
    const load = Array.from({ length: 24 }, () => loadUntilLeft(serving.origin));
    const ended = serving.end('SIGTERM');
    const left = await Promise.all(load);
    expect(left.flatMap(({ faults }) => faults)).toEqual([]);
    const fresh = new Agent({ keepAlive: true });
    const late = await ask(`${serving.origin}/readyz`, fresh);
    expect([late.statusCode, late.headers.connection]).toEqual([503, 'close']);
    expect((await ask(`${serving.origin}/status`, fresh)).statusCode).toBe(200);
    fresh.destroy();
    expect(await ended).toEqual({ code: 0, signal: null });
    await expect(fetch(`${serving.origin}/healthz`)).rejects.toThrow();
  },
);
