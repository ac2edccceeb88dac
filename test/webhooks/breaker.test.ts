import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { failuresThatPause, healthAfter } from '../../src/webhooks/delivery/breaker.ts';
import { dueUntil, requestedPauseMs, retryAt } from '../../src/webhooks/delivery/schedule.ts';
import { queueAgain } from '../../src/webhooks/feed/queue-again.ts';
import { type Engine, openEngine } from './engine.ts';
import { openReceiver, status } from './receiver.ts';

const now = Temporal.Instant.from('2026-12-01T12:00:00Z');
const healthy = { failures: 0, pauses: 0, paused_until: null };
const secondsTo = (moment: Temporal.Instant | null): number =>
  moment === null ? Number.NaN : now.until(moment).total('seconds');

describe('the retry schedule', () => {
  test.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 1_800],
    [6, 3_600],
    [7, 7_200],
    [8, 14_400],
    [30, 14_400],
  ])('delays the retry after attempt %d by half to all of %d seconds', (tries, most) => {
    const term = { tries, expiresAt: dueUntil(now) };
    expect(secondsTo(retryAt(now, term, () => 0))).toBeCloseTo(most / 2, 3);
    expect(secondsTo(retryAt(now, term, () => 0.999_999))).toBeCloseTo(most, 1);
  });

  test.each([
    [503, '120', 120_000],
    [429, '0', 0],
    [503, '86400', 3_600_000],
    [503, '9'.repeat(400), 3_600_000],
    [429, 'Tue, 01 Dec 2026 12:10:00 GMT', 600_000],
    [429, 'Tue, 01 Dec 2020 12:10:00 GMT', 0],
    [503, 'soon', 0],
    [503, '-5', 0],
    [503, null, 0],
    [500, '120', 0],
    [200, '120', 0],
  ])('pauses after %d with Retry-After %s for %d ms', (code, header, ms) => {
    expect(requestedPauseMs(code, header, now.epochMilliseconds)).toBe(ms);
  });

  test('honors a requested pause, but never shortens its own', () => {
    const term = { tries: 1, expiresAt: dueUntil(now) };
    expect(secondsTo(retryAt(now, { ...term, retryAfterMs: 60_000 }, () => 0))).toBe(60);
    expect(secondsTo(retryAt(now, { ...term, retryAfterMs: 100 }, () => 0))).toBeCloseTo(2.5, 3);
  });

  test('ends retries after three days', () => {
    const expiresAt = now.add({ hours: 2 });
    expect(retryAt(now, { tries: 8, expiresAt })).toBeNull();
    expect(secondsTo(dueUntil(now))).toBe(72 * 3600);
  });
});

describe('a receiver’s health', () => {
  test('does not pause below the failure limit', () => {
    const some = Array(failuresThatPause - 1).fill(false);
    expect(healthAfter(healthy, some, now)).toEqual({ ...healthy, failures: some.length });
  });

  test('doubles pauses from 5 seconds to 5 minutes, with jitter', () => {
    let health = healthAfter(healthy, Array(failuresThatPause).fill(false), now, () => 1);
    const seconds = [secondsTo(health.paused_until)];
    for (let probe = 0; probe < 8; probe += 1) {
      health = healthAfter(health, [false], now, () => 1);
      seconds.push(secondsTo(health.paused_until));
    }
    expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('resets pauses and count after one success', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.array(fc.boolean()), (first, then) => {
        const before = healthAfter(healthy, [...first, false, false, false, false, false], now);
        const after = healthAfter(before, [...then, true], now);
        expect(after).toEqual(healthy);
      }),
    );
  });
});

describe('dead receivers', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine.close());

  test('delays the next attempt as long as the receiver’s Retry-After requests', async () => {
    const receiver = await openReceiver();
    const hook = await engine.register(receiver.url);
    receiver.answer(status(503, { 'retry-after': '1800' }));
    await engine.emit('asked', 1);
    await engine.run();
    const [delivery] = await engine.deliveries(hook);
    expect(
      engine
        .now()
        .until(delivery?.next_at ?? engine.now())
        .total('seconds'),
    ).toBe(1_800);
    await engine.sql`delete from webhooks where id = ${hook}`;
    await receiver.close();
  });

  test('spends one attempt per pause on a dead receiver, and recovers with one', async () => {
    const receiver = await openReceiver();
    const hook = await engine.register(receiver.url);
    receiver.answer(status(503));
    for (let turn = 0; turn < 100; turn += 1) await engine.emit(`dead-${turn}`, 1);
    await engine.run();
    // The only attempts beyond the limit are those that were already in progress.
    const first = receiver.received.length;
    expect(first).toBeGreaterThanOrEqual(failuresThatPause);
    expect(first).toBeLessThan(failuresThatPause + 4);
    const { due_at, paused_until } = await engine.health(hook);
    expect(due_at).toEqual(paused_until);
    await engine.run();
    expect(receiver.received).toHaveLength(first);
    for (let probe = 1; probe <= 5; probe += 1) {
      engine.pass({ minutes: 5 });
      await engine.run();
      expect(receiver.received).toHaveLength(first + probe);
    }
    receiver.answer(status(200));
    engine.pass({ minutes: 5 });
    await engine.run();
    engine.pass({ hours: 4 });
    await engine.run();
    const states = (await engine.deliveries(hook)).map((row) => row.state);
    expect(states).toEqual(Array(100).fill('delivered'));
    expect(await engine.health(hook)).toEqual({ ...healthy, due_at: null });
    await receiver.close();
  });

  test('skips a dead receiver in other workers once it is paused', async () => {
    const receiver = await openReceiver();
    const hook = await engine.register(receiver.url);
    await engine.emit('paused meanwhile', 1);
    await engine.publish();
    await engine.sql`update webhooks set paused_until = ${engine.now().add({ seconds: 9 })}
      where id = ${hook}`;
    await engine.run();
    expect(receiver.received).toEqual([]);
    engine.pass({ seconds: 10 });
    await engine.run();
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test('serves other receivers on time while one is dead', async () => {
    // The timeout is longer than the test, so that the other receiver is served while attempts
    // hang.
    const patient = await openEngine({ timeoutMs: 60_000 });
    const hanging = await openReceiver();
    const living = await openReceiver();
    hanging.answer(() => {});
    const accountId = 'D1B2C3D4';
    await patient.register(hanging.url, { accountId });
    await patient.register(living.url, { accountId });
    for (let turn = 0; turn < 30; turn += 1) {
      await patient.emit(`beside-${turn}`, 1, 'qr.paid', accountId);
    }
    await patient.publish();
    const worker = patient.deliverer();
    await worker.tick();
    await vi.waitFor(() => expect(living.received).toHaveLength(30), { timeout: 30_000 });
    expect(hanging.received.length).toBeGreaterThan(0);
    await Promise.all([hanging.close(), living.close()]);
    await worker.stop();
    await patient.close();
  });

  test('fails a dead receiver’s events together at one probe after three days without an attempt', async () => {
    const receiver = await openReceiver();
    const hook = await engine.register(receiver.url);
    receiver.answer(status(500));
    for (let turn = 0; turn < 40; turn += 1) await engine.emit(`old-${turn}`, 1);
    await engine.run();
    engine.pass({ hours: 73 });
    await engine.emit('young', 1);
    const tried = receiver.received.length;
    await engine.run();
    expect(receiver.received).toHaveLength(tried + 1);
    const rows = await engine.deliveries(hook);
    const failed = rows.filter((row) => row.state === 'failed');
    expect(failed.length).toBeGreaterThanOrEqual(40 - tried);
    expect(rows.at(-1)).toMatchObject({ entity_id: 'young', state: 'pending' });
    await receiver.close();
  });

  test('retries a dead receiver at once when a person resends an event', async () => {
    const receiver = await openReceiver();
    const accountId = 'E1B2C3D4';
    const hook = await engine.register(receiver.url, { accountId });
    receiver.answer(status(500));
    for (let turn = 0; turn < 10; turn += 1) {
      await engine.emit(`paused-${turn}`, 1, 'qr.paid', accountId);
    }
    const id = await engine.emit('resent', 1, 'qr.paid', accountId);
    await engine.run();
    await engine.sql`update deliveries set state = 'failed', next_at = null,
      ended_at = ${engine.now()} where webhook_id = ${hook}`;
    receiver.answer(status(200));
    const before = receiver.received.length;
    await queueAgain(engine.sql, { accountId, eventId: id, webhookId: null, at: engine.now() });
    await engine.run();
    expect(receiver.received).toHaveLength(before + 1);
    expect(await engine.health(hook)).toEqual({ ...healthy, due_at: null });
    await receiver.close();
  });
});
