import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aSecond, estimate, type Load, steps } from '../../../src/cli/scaling/estimate.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { recaudo } from '../run.ts';

const usual: Load = {
  requestsAMonth: 1_000_000,
  paidPercent: 80,
  readsEach: 3,
  peak: 20,
  monthsKept: 24,
  restoreRate: 100,
};

test('suggests one process for a cooperative, and a distributed database for a country', () => {
  const found = estimate({ ...usual, requestsAMonth: 2_000 });
  expect(found).toMatchObject({ processCores: 1, databaseCores: 1, step: 'one process' });
  const country = estimate({ ...usual, requestsAMonth: 100_000_000 });
  expect(country.creates).toBeCloseTo(771.6, 1);
  expect(country.step).toBe('distributed by account (experimental)');
});

test('suggests no single-server step for a load that one PostgreSQL server cannot write', () => {
  const found = estimate({ ...usual, requestsAMonth: 1_000_000_000, monthsKept: 1, peak: 100 });
  expect(found.databaseCores).toBeGreaterThan(64);
  expect(found.bytesKept).toBeLessThan(4e12);
  expect(found.step).toBe('distributed by account (experimental)');
});

test('computes the bytes and the restore time of a million requests a month', () => {
  const { bytesAMonth, bytesKept, restoreHours } = estimate(usual);
  expect(bytesAMonth).toBe(1_000_000 * (1_800 + 0.8 * 1_900));
  expect(bytesKept).toBe(24 * bytesAMonth);
  expect(restoreHours).toBeCloseTo(bytesKept / 100e6 / 3_600);
});

test('never estimates less for a larger load', () => {
  const load = fc.record({
    requestsAMonth: fc.integer({ min: 1, max: 1_000_000_000 }),
    paidPercent: fc.integer({ min: 0, max: 100 }),
    readsEach: fc.integer({ min: 0, max: 1_000 }),
    peak: fc.integer({ min: 1, max: 1_000 }),
    monthsKept: fc.integer({ min: 1, max: 120 }),
    restoreRate: fc.constant(100),
  });
  const member = fc.constantFrom<keyof Load>(
    'requestsAMonth',
    'paidPercent',
    'readsEach',
    'peak',
    'monthsKept',
  );
  fc.assert(
    fc.property(load, member, (less, name) => {
      const [before, after] = [estimate(less), estimate({ ...less, [name]: less[name] * 2 })];
      for (const figure of [
        'processCores',
        'databaseCores',
        'bytesKept',
        'restoreHours',
      ] as const) {
        expect(after[figure]).toBeGreaterThanOrEqual(before[figure]);
      }
      expect(steps.indexOf(after.step)).toBeGreaterThanOrEqual(steps.indexOf(before.step));
    }),
  );
});

test.each([['0'], ['-1'], ['1.5'], ['many'], ['100000000001']])(
  'refuses a month of %s requests, and names the allowed range',
  async (requests) => {
    const { code, stderr } = await recaudo(['estimate', '--requests', requests], {});
    expect(code).not.toBe(0);
    expect(stderr).toContain('a whole number from 1 to 100000000000');
  },
);

const page = (name: string): Promise<string> =>
  readFile(path.join(packageRoot(), 'docs/explanation', name), 'utf8');

test('uses the last measured rates, rounded down by at most a twentieth', async () => {
  const text = await page('performance.md');
  const measured = (of: string): number => {
    const row = text
      .split('\n')
      .find((line) => line.startsWith(`| \`${of}\` |`) && line.includes(' a second'));
    return Number(/([\d,]+) a second/.exec(row ?? '')?.[1]?.replaceAll(',', ''));
  };
  const [creates, reads] = [measured('create'), measured('get')];
  const payments = 1 / (1 / measured('flow') - 1 / creates - 2 / reads);
  for (const [used, of] of [
    [aSecond.process.creates, creates],
    [aSecond.process.reads, reads],
    [aSecond.process.payments, payments],
  ] as const) {
    expect(used).toBeLessThanOrEqual(of);
    expect(used).toBeGreaterThan(of * 0.95);
  }
});

test('names only steps of docs/explanation/scaling.md', async () => {
  const text = (await page('scaling.md')).toLowerCase();
  for (const step of steps) expect(text).toContain(`| ${step} |`);
});
