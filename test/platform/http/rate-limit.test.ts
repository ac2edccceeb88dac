import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../src/platform/http/rate-limit.ts';
import { createExchange } from '../../../src/platform/processes/rates.ts';
import { expectError } from '../../harness/errors.ts';
import { startService } from '../../harness/service.ts';

const limiterAt = (perSecond: number, burst: number) => {
  let now = Temporal.Instant.from('2026-11-21T12:00:00Z');
  const limit = createRateLimiter(
    { perSecond, burst },
    {
      now: () => now,
      nowMs: () => now.epochMilliseconds,
    },
  );
  return { limit, pass: (ms: number) => (now = now.add({ milliseconds: ms })) };
};

test('shares one limit between two processes, each with its own burst until they exchange counts', () => {
  let nowMs = 0;
  const wall = { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs), nowMs: () => nowMs };
  const exchanges = [createExchange(), createExchange()] as const;
  const limits = exchanges.map((exchange) =>
    createRateLimiter({ perSecond: 10, burst: 20 }, wall, { name: 'keys', exchange }),
  );
  const tell = (): void => {
    const [one, other] = exchanges.map((exchange) => exchange.gather());
    if (one) exchanges[1].spread(one);
    if (other) exchanges[0].spread(other);
  };
  const ask = (calls: number): number => {
    let allowed = 0;
    for (let no = 0; no < calls; no += 1) {
      if (limits[no % 2]?.('a').allowed) allowed += 1;
    }
    return allowed;
  };
  // Each process has its own burst until they exchange counts.
  expect(ask(200)).toBe(40);
  tell();
  let allowed = 0;
  for (let step = 0; step < 300; step += 1) {
    nowMs += 200;
    allowed += ask(20);
    tell();
  }
  // Ten per second for a minute, less the excess of the bursts.
  expect(allowed).toBeGreaterThanOrEqual(600 - 40);
  expect(allowed).toBeLessThanOrEqual(600 + 20);
  // Other buckets are unaffected.
  expect(limits[1]?.('b')).toMatchObject({ allowed: true, remaining: 19 });
  expect(exchanges[0].gather()).toBeNull();
});

test('allows a burst, then calls at the configured rate', () => {
  const { limit, pass } = limiterAt(2, 3);
  const calls = () => [1, 2, 3, 4].map(() => limit('a').allowed);
  expect(calls()).toEqual([true, true, true, false]);
  pass(499);
  expect(limit('a').allowed).toBe(false);
  pass(1);
  expect(limit('a').allowed).toBe(true);
  expect(limit('a').allowed).toBe(false);
  pass(60_000);
  expect(calls()).toEqual([true, true, true, false]);
});

test('allows a refused caller after Retry-After', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), (rate, burst) => {
      const { limit, pass } = limiterAt(rate, burst);
      for (let call = 0; call < burst; call += 1)
        expect(limit('a').remaining).toBe(burst - call - 1);
      const refused = limit('a');
      expect(refused).toMatchObject({ allowed: false, limit: burst, remaining: 0 });
      expect(refused.resetSeconds).toBeGreaterThanOrEqual(1);
      pass(refused.resetSeconds * 1000);
      expect(limit('a').allowed).toBe(true);
    }),
  );
});

test('allows a refused caller of a costly call after Retry-After, not before', () => {
  const { limit, pass } = limiterAt(2, 10);
  expect(limit('a', 8)).toMatchObject({ allowed: true, remaining: 2, resetSeconds: 4 });
  const refused = limit('a', 8);
  expect(refused).toMatchObject({ allowed: false, resetSeconds: 3 });
  pass(2_999);
  expect(limit('a', 8).allowed).toBe(false);
  pass(1);
  expect(limit('a', 8).allowed).toBe(true);
});

test('returns tokens to an overdrawn bucket, and never more than a burst', () => {
  let nowMs = 0;
  const wall = { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs), nowMs: () => nowMs };
  const exchange = createExchange();
  const limit = createRateLimiter({ perSecond: 1, burst: 5 }, wall, { name: 'proofs', exchange });
  for (let call = 0; call < 5; call += 1) limit('a');
  const other = exchange.gather();
  // Another process allowed the same calls, so the bucket is at -5.
  if (other) exchange.spread(other);
  expect(limit('a').resetSeconds).toBe(6);
  for (let call = 0; call < 5; call += 1) limit('a', -1);
  expect(limit('a').resetSeconds).toBe(1);
  expect(limit('b', -1)).toMatchObject({ remaining: 5, resetSeconds: 0 });
  nowMs += 1_000;
  expect(limit('a').allowed).toBe(true);
});

test('keeps a bucket per key, and ignores a clock that steps back', () => {
  const { limit, pass } = limiterAt(1, 1);
  expect(limit('a').allowed).toBe(true);
  expect(limit('b').allowed).toBe(true);
  pass(-10_000);
  expect(limit('a').allowed).toBe(false);
  pass(1000);
  expect(limit('a').allowed).toBe(true);
});

test('answers 429 with Retry-After above a key’s limit, and still answers other callers', async () => {
  const service = await startService({ RATE_LIMIT: '1', RATE_BURST: '5' });
  try {
    // Tokens trickle in during the calls, so only the minimum is certain.
    const calls = Array.from({ length: 30 }, () => service.call('GET', '/account'));
    const answers = await Promise.all(calls);
    const allowed = answers.filter((answer) => answer.status === 200);
    expect(allowed.length).toBeGreaterThanOrEqual(5);
    const remaining = allowed.map((answer) => Number(answer.headers.get('ratelimit-remaining')));
    expect(Math.max(...remaining)).toBe(4);
    expect(Math.min(...remaining)).toBe(0);
    const refused = answers.find((answer) => answer.status !== 200);
    if (!refused) throw new Error('no call was refused');
    expectError(refused, 429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('ratelimit-reset')).toBe('1');
    expect((await service.call('GET', '/status', { key: null })).status).toBe(200);
    expectError(await service.call('GET', '/account', { key: 'nobody-knows-this' }), 401);
  } finally {
    await service.stop();
  }
});
