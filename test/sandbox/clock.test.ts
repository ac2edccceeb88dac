import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { offeredChannels } from '../../src/money/channels/index.ts';
import { releaseSweep } from '../../src/money/collections/index.ts';
import { errorAnswer } from '../../src/platform/http/answers.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createSweeper } from '../../src/platform/sweeps.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { testOperator } from '../harness/actors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

describe('the business clock of a sandbox', () => {
  let service: TestService;
  let player: Player;
  beforeAll(async () => {
    service = await startService(withoutWorker);
    player = playerOf(service);
  });
  afterAll(() => service.stop());

  const read = async (): Promise<Temporal.Instant> =>
    Temporal.Instant.from((await service.call('GET', '/sandbox/clock')).body.now);

  test.each([
    [{ minutes: 5 }, 5],
    [{ hours: 2 }, 120],
    [{ days: 1 }, 1440],
  ])('moves by %j', async (body, minutes) => {
    const before = await read();
    const { status, body: answer } = await player.move(body);
    expect(status).toBe(200);
    const moved = before.until(Temporal.Instant.from(answer.now)).total('minutes');
    expect(moved).toBeGreaterThanOrEqual(minutes);
    expect(moved).toBeLessThan(minutes + 1);
  });

  test('moves to a moment, and returns it with the Argentine offset', async () => {
    const target = (await read()).add({ hours: 30 });
    const { body } = await player.move({ advance_to: target.toString() });
    expect(body.now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
    expect(target.until(Temporal.Instant.from(body.now)).total('seconds')).toBeLessThan(60);
  });

  test.each([
    [{}],
    [{ days: 1, hours: 1 }],
    [{ advance_to: '2020-01-01T00:00:00-03:00' }],
    [{ advance_to: '2099-01-01T00:00:00-03:00' }],
    [{ advance_to: 'tomorrow' }],
    [{ days: -1 }],
    [{ days: 1.5 }],
    [{ days: 100_000 }],
    [{ minutes: 'soon' }],
    [{ days: '2' }],
  ])('does not move by %j, and explains it', async (body) => {
    const before = await read();
    const { status, body: answer } = await player.move(body);
    expect(status).toBe(400);
    expect(answer.message.length).toBeGreaterThan(20);
    expect(before.until(await read()).total('minutes')).toBeLessThan(1);
  });

  test('runs due work on the way in order, and counts it', async () => {
    await player.move({ days: 400 });
    const late = await player.create({ first_total: 10.94, first_due_date: dayIn(service, 0) });
    const back = await player.create({ first_total: 10.95 });
    await player.create({ first_due_date: dayIn(service, 3) });
    await player.create({ first_due_date: dayIn(service, 5) });
    await player.pay(late, { channel: 'qr' });
    await player.pay(back, { channel: 'qr' });
    const { body } = await player.move({ days: 10 });
    const counts = Object.fromEntries(
      body.happened.map((one: { what: string; count: number }) => [one.what, one.count]),
    );
    expect(counts).toEqual({
      'collections made available': 2,
      'payment requests expired': 3,
      'payments reversed by the simulator': 1,
      'unanswered charges settled': 1,
    });
    const events = await player.events(late);
    expect(events.map((event) => event.type)).toEqual([
      'payment_request.created',
      'payment_request.expired',
      'payment_request.paid',
    ]);
    const [paidAt, revertedAt] = [
      (await player.get(late)).request_result[0].paid_at,
      (await player.get(back)).request_result[1].reverted_at,
    ];
    const hoursAgo = (moment: string) =>
      Temporal.Instant.from(moment).until(Temporal.Instant.from(body.now)).total('hours');
    expect(Math.round(hoursAgo(paidAt))).toBe(9 * 24);
    expect(Math.round(hoursAgo(revertedAt))).toBe(9 * 24);
    expect((await player.move({ minutes: 0 })).body.happened).toEqual([]);
  });

  test('moves at least to the later of two concurrent targets, and does due work once', async () => {
    await player.create({ first_due_date: dayIn(service, 1) });
    const before = await read();
    const [one, two] = await Promise.all([player.move({ days: 3 }), player.move({ days: 5 })]);
    expect([one.status, two.status]).toEqual([200, 200]);
    const expired = [one, two].flatMap((answer) => answer.body.happened);
    expect(expired).toEqual([{ what: 'payment requests expired', count: 1 }]);
    expect(before.until(await read()).total('hours')).toBeGreaterThanOrEqual(5 * 24);
    expect(before.until(await read()).total('hours')).toBeLessThan(8 * 24 + 1);
  });
});

describe('work blocked by another call', () => {
  let service: TestService;
  let player: Player;
  beforeAll(async () => {
    service = await startService(withoutWorker);
    player = playerOf(service);
  });
  afterAll(() => service.stop());

  const releases = () => service.sql<{ promised: string; released: string }[]>`
    select available_on::text as promised, released_on::text as released from results
    where account_id = ${testAccount} and type = 'collected' and unreleased = 0
      and released_on is not null`;

  test('releases all money on time when refunds run during a move', async () => {
    const ids = await Promise.all(Array.from({ length: 24 }, () => player.create()));
    await Promise.all(ids.map((id) => player.pay(id)));
    const refund = async (id: number): Promise<void> => {
      for (let parts = 0; parts < 5; parts += 1) await player.refund(id, { amount: 1 });
    };
    const [moved] = await Promise.all([player.move({ days: 40 }), ...ids.map(refund)]);
    expect(moved.status).toBe(200);
    const released = await releases();
    expect(released).toHaveLength(24);
    for (const one of released) expect(one.released).toBe(one.promised);
    expect(await player.faults()).toEqual([]);
  });

  test('answers 409 for a stuck move, with its position and results', async () => {
    const { sql } = service;
    const id = await player.create();
    await player.pay(id);
    const { clocks, base } = service.service.parts;
    const sweeper = createSweeper(sql, clocks, [releaseSweep(base)], {
      log: createLog('silent'),
      metrics: createMetrics(),
      stallMs: 50,
    });
    const move = { advance_to: null, days: 40, hours: null, minutes: null };
    const refusal = await sql.begin(async (holder) => {
      await holder`select 1 from results where request_id = ${id} for update`;
      return await moveClock({ ...base, actor: testOperator }, sweeper, move).catch(
        (error: unknown) => error,
      );
    });
    const { answer } = errorAnswer(refusal);
    const [row] = await sql<{ promised: string }[]>`
      select available_on::text as promised from results where request_id = ${id}`;
    expect(answer).toMatchObject({ code: 409, happened: {} });
    expect(answer.message).toContain('collections made available');
    expect(String(answer.now).slice(0, 10)).toBe(row?.promised);
    expect((await player.move({ days: 40 })).status).toBe(200);
    for (const one of await releases()) expect(one.released).toBe(one.promised);
  });
});

describe('in production', () => {
  let service: TestService;
  let key: string;
  let port: number;
  beforeAll(async () => {
    port = await freePort('127.0.0.1');
    service = await startService({
      ENVIRONMENT: 'production',
      PUBLIC_URL: 'https://pay.example.com',
      BARCODE_CONVENTION: '5150009346',
      PORT: String(port),
      ...withoutWorker,
    });
    const { base } = service.service.parts;
    const acting = { ...base, actor: testOperator };
    const { id } = await createAccount(acting, {
      id: null,
      name: 'Cooperativa',
      cuit: '30999999995',
      city: 'Rosario',
    });
    key = await createKey(acting, {
      id: await base.recordIds.next(),
      environment: 'production',
      accountId: id,
      name: 'all',
      permissions: ['read', 'write', 'sandbox'],
      expiresAt: null,
      secret: null,
    });
  });
  afterAll(() => service.stop());

  test.each([
    ['POST', '/sandbox/pay/1'],
    ['POST', '/sandbox/chargeback/1'],
    ['POST', '/sandbox/refund/1'],
    ['POST', '/sandbox/clock'],
    ['GET', '/sandbox/clock'],
  ])('forbids %s %s in production', async (method, path) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 403 });
  });

  test('does not create a sandbox account, key or channel in production', async () => {
    expect(service.service.demo).toBeNull();
    expect(offeredChannels(service.service.parts.offer)).toEqual([]);
    expect(key).toMatch(/^rk_live_/);
  });
});
