import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { type Budgets, calibrate, judge, overLines } from '../harness/budget.ts';
import recorded from '../harness/budgets.json' with { type: 'json' };
import { measuring } from '../harness/measuring.ts';

const budgets: Budgets = {
  fileSeconds: 30,
  files: { 'test/a/long.test.ts': { seconds: 60, reason: 'plays a year' } },
  totalSeconds: 1000,
  calibrationMs: 20,
};
const on = { budgets, calibrationMs: 20, whole: true };

describe('the budget of a run', () => {
  test('names files over budget without failing them', () => {
    const verdict = judge(
      [
        { file: 'test/a/short.test.ts', seconds: 59 },
        { file: 'test/a/long.test.ts', seconds: 59 },
      ],
      on,
    );
    expect(overLines(verdict)).toEqual(['over budget: test/a/short.test.ts 59 s of 30 s']);
    expect(verdict.failures).toEqual([]);
  });

  test('fails at twice the budget of a file', () => {
    const { failures } = judge(
      [
        { file: 'test/a/short.test.ts', seconds: 60 },
        { file: 'test/a/long.test.ts', seconds: 119 },
      ],
      on,
    );
    expect(failures).toEqual([
      'test/a/short.test.ts took 60 s of processor time, at least twice its 30 s.',
    ]);
  });

  test('fails a run of the whole suite that exceeds its budget by over 30 %, but not a partial run', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, no) => ({ file: `test/${no}.test.ts`, seconds: 10 }));
    expect(judge(many(130), on).failures).toEqual([]);
    expect(judge(many(131), on).failures).toHaveLength(1);
    expect(judge(many(131), { ...on, whole: false }).failures).toEqual([]);
  });

  test('allows more on a slower machine, and not less on a faster one', () => {
    const spent = [{ file: 'test/a/short.test.ts', seconds: 70 }];
    expect(judge(spent, { ...on, calibrationMs: 50 }).failures).toEqual([]);
    expect(judge(spent, { ...on, calibrationMs: 10 })).toEqual(judge(spent, on));
  });

  test('calibrates with a loop that takes measurable processor time', () => {
    expect(calibrate()).toBeGreaterThan(1);
  });
});

test('lists larger budgets only for existing files, each with a reason', () => {
  const files: Budgets['files'] = recorded.files;
  for (const [file, { seconds, reason }] of Object.entries(files)) {
    expect(existsSync(path.join(packageRoot(), file)), file).toBe(true);
    expect(seconds).toBeGreaterThan(recorded.fileSeconds);
    expect(reason).not.toBe('');
  }
});

test('lists only existing files as running alone', () => {
  const missing = measuring.filter((file) => !existsSync(path.join(packageRoot(), file)));
  expect(missing).toEqual([]);
});
