import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cached, cachedByKey } from '../../src/platform/cached.ts';
import { createLinks } from '../../src/platform/links.ts';
import { ringOf } from '../harness/keys.ts';

const start = Temporal.Instant.from('2026-11-21T12:00:00Z');

describe('a cached value', () => {
  const clockAt = () => {
    let now = start;
    return {
      clock: { now: () => now, nowMs: () => now.epochMilliseconds },
      pass: (ms: number) => (now = now.add({ milliseconds: ms })),
    };
  };
  test('loads once for concurrent callers, and again after it expires', async () => {
    const { clock, pass } = clockAt();
    let loads = 0;
    const get = cached(clock, 1000, async () => ++loads);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    pass(999);
    expect(await get()).toBe(1);
    pass(1);
    expect(await get()).toBe(2);
  });
  test('does not cache a failed load', async () => {
    const { clock } = clockAt();
    let loads = 0;
    const get = cached(clock, 1000, async () => {
      loads += 1;
      if (loads === 1) throw new Error('away');
      return loads;
    });
    await expect(get()).rejects.toThrow('away');
    expect(await get()).toBe(2);
    expect(await get()).toBe(2);
  });
});

describe('values cached by key', () => {
  test('expire a fixed time after they arrive, and do not wait for a slow load of another key', async () => {
    let now = start;
    const clock = { now: () => now, nowMs: () => now.epochMilliseconds };
    const recent = cachedByKey<string>(clock, 1000);
    const slow = Promise.withResolvers<string>();
    const first = recent('slow', () => slow.promise);
    now = now.add({ minutes: 1 });
    expect(await recent('other', async () => 'quick')).toBe('quick');
    expect(recent('slow', async () => 'again')).toBe(first);
    slow.resolve('once');
    expect(await first).toBe('once');
    now = now.add({ milliseconds: 999 });
    expect(await recent('slow', async () => 'again')).toBe('once');
    now = now.add({ milliseconds: 1 });
    expect(await recent('slow', async () => 'again')).toBe('again');
  });

  test('are not kept if their load fails', async () => {
    const recent = cachedByKey<string>({ now: () => start, nowMs: () => 0 }, 1000);
    const away = recent('key', () => Promise.reject(new Error('away')));
    await expect(away).rejects.toThrow('away');
    expect(await recent('key', async () => 'back')).toBe('back');
  });
});

describe('tokens of public links', () => {
  const [first, second] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const links = createLinks('https://pay.example.com//', ringOf(first));
  const key = fc.record({
    accountId: fc.stringMatching(/^[0-9A-F]{8}$/),
    id: fc.integer({ min: 1, max: 999_999_999_999_999 }),
  });
  test('contains its request and begins with its account', () => {
    expect(links.origin).toBe('https://pay.example.com');
    fc.assert(
      fc.property(key, (one) => {
        const token = links.tokenOf(one);
        expect(token.startsWith(`${one.accountId}-`)).toBe(true);
        expect(token).toMatch(/^[\w-]+$/);
        expect(links.keyOf(token)).toEqual({ ...one, no: 1 });
      }),
    );
  });
  test('contains the link’s number, and rejects a token with another one', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 2, max: 30_000 }), (one, no) => {
        const token = links.tokenOf({ ...one, no }, 'adhesion');
        expect(links.keyOf(token, 'adhesion')).toEqual({ ...one, no });
        expect(links.keyOf(token.replace(/\.\d+-/, '-'), 'adhesion')).toBeNull();
        expect(links.keyOf(token.replace(/\.\d+-/, '.40000-'), 'adhesion')).toBeNull();
      }),
    );
  });
  test('accepts a token only for its own purpose', () => {
    fc.assert(
      fc.property(key, (one) => {
        expect(links.keyOf(links.tokenOf(one, 'upload'), 'upload')).toEqual({ ...one, no: 1 });
        expect(links.keyOf(links.tokenOf(one, 'upload'))).toBeNull();
        expect(links.keyOf(links.tokenOf(one), 'upload')).toBeNull();
      }),
    );
  });
  test('rejects a token that is changed, forged or made elsewhere', () => {
    const other = createLinks('https://pay.example.com', ringOf(second));
    fc.assert(
      fc.property(key, fc.nat(), fc.string({ maxLength: 2 }), (one, place, put) => {
        const token = links.tokenOf(one);
        const at = place % token.length;
        const changed = token.slice(0, at) + put + token.slice(at + 1);
        fc.pre(changed !== token);
        expect(links.keyOf(changed)).toBeNull();
        expect(other.keyOf(token)).toBeNull();
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => links.keyOf(text) === null));
  });
  test('accepts tokens of earlier keys, but not of unknown keys or with another key’s number', () => {
    const rotated = createLinks('https://pay.example.com', ringOf(first, second));
    fc.assert(
      fc.property(key, (one) => {
        expect(rotated.keyOf(links.tokenOf(one))).toEqual({ ...one, no: 1 });
        expect(rotated.keyOf(rotated.tokenOf(one))).toEqual({ ...one, no: 1 });
        expect(links.keyOf(rotated.tokenOf(one))).toBeNull();
        const [account, id, , mac] = rotated.tokenOf(one).split(/-(?=.{22}|[0-9a-z]+-)/);
        expect(rotated.keyOf(`${account}-${id}-1-${mac}`)).toBeNull();
      }),
    );
  });
  test('rejects another spelling of a token’s numbers', () => {
    const token = links.tokenOf({ accountId: 'A1B2C3D4', id: 35 });
    for (const other of ['-0z-1-', '-Z-1-', '-z-01-']) {
      expect(links.keyOf(token.replace('-z-1-', other))).toBeNull();
    }
  });
});
