import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serverNotices } from '../../../src/platform/postgres/connection.ts';
import { paymentRequestBody } from '../../harness/builders/payment-requests.ts';
import { callerOf, full, itemOf } from '../../harness/builders/qrs.ts';
import { distributedNodes } from '../../harness/distributed.ts';
import { type Answer, startService, type TestService } from '../../harness/service.ts';

// Skipped where TEST_DISTRIBUTED_URL names no cluster (CONTRIBUTING.md).

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let commands: string[] = [];

/** Records the commands that the coordinator reports sending to a node, except the call log's. */
function hear(message: unknown): void {
  const command = String(message).replace(/^issuing /, '');
  if (command !== message && !/^insert into public\.api_calls/i.test(command)) {
    commands.push(command);
  }
}

describe.skipIf(distributedNodes().length === 0)('commands to a cluster’s nodes', () => {
  let service: TestService;
  const options = process.env.PGOPTIONS;

  beforeAll(async () => {
    process.env.PGOPTIONS = '-c citus.log_remote_commands=on';
    service = await startService({ ROLES: 'payments,qr,web' });
    serverNotices.subscribe(hear);
  });
  afterAll(async () => {
    serverNotices.unsubscribe(hear);
    if (options === undefined) delete process.env.PGOPTIONS;
    else process.env.PGOPTIONS = options;
    await service?.stop();
  });

  /**
   * Returns the smallest number of commands of several calls, because the first ones open
   * connections and learn types.
   */
  async function counted(call: () => Promise<Answer>, status = 200): Promise<number> {
    const counts: number[] = [];
    for (let no = 0; no < 4; no += 1) {
      commands = [];
      expect(await call()).toMatchObject({ status });
      counts.push(commands.length);
    }
    return Math.min(...counts);
  }

  let last = 0;
  const next = (): number => {
    last += 1;
    return last;
  };

  const create = (headers = {}): Promise<Answer> =>
    service.call('POST', '/payment-request', { body: paymentRequestBody(service), headers });
  const made = async (count: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let no = 0; no < count; no += 1) ids.push((await create()).body.id);
    return ids;
  };

  test('creates in one transaction on one node, also with an idempotency key', async () => {
    const keyed = () => create({ 'idempotency-key': `key ${next()}` });
    expect(await counted(create, 201)).toBe(5);
    expect(await counted(keyed, 201)).toBe(6);
    expect(commands.filter((command) => /prepare transaction|copy/i.test(command))).toEqual([]);
  });

  test('reads a request with one command and a list page with two', async () => {
    const [id] = await made(1);
    expect(await counted(() => service.call('GET', `/payment-request/${id}`))).toBe(1);
    expect(await counted(() => service.call('GET', '/payment-request'))).toBe(2);
  });

  test('pays with a bounded number of commands, and without two-phase commit or COPY', async () => {
    const ids = await made(8);
    const pay = (body: object) => service.call('POST', `/sandbox/pay/${ids.pop()}`, { body });
    expect(await counted(() => pay({}))).toBeLessThanOrEqual(18);
    expect(await counted(() => pay({ channel: 'credit_card' }))).toBeLessThanOrEqual(34);
    expect(commands.filter((command) => /prepare transaction|copy/i.test(command))).toEqual([]);
  });

  test('saves and pays a QR with a bounded number of commands, and reads its status with one', async () => {
    const { save, status, pay } = callerOf(service);
    const saved: string[] = [];
    const item = () => {
      saved.push(`q${next()}`);
      return itemOf(service, saved.at(-1) ?? '');
    };
    expect(await counted(() => save([item()]), 201)).toBeLessThanOrEqual(6);
    expect(await counted(() => status(full(saved[0] ?? '')))).toBe(1);
    expect(await counted(() => pay(full(saved.pop() ?? '')))).toBeLessThanOrEqual(29);
  });

  test('sends nothing from an idle web process', async () => {
    await sleep(2_000);
    commands = [];
    await sleep(4_000);
    expect(commands).toEqual([]);
  });

  test('sends at most 40 commands in ten seconds from an idle worker', async () => {
    const worker = await startService({ ROLES: 'worker' });
    const counts: number[] = [];
    try {
      for (let no = 0; no < 4; no += 1) {
        commands = [];
        await sleep(10_000);
        counts.push(commands.length);
      }
    } finally {
      await worker.stop();
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(40);
  });
});
