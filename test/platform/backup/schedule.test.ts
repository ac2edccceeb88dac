import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchedule, isUndrilled } from '../../../src/cli/backup/schedule.ts';
import type { BackupParts } from '../../../src/platform/backup/take.ts';
import { backupRuns, type SweepRun } from '../../../src/platform/sweep-runs.ts';
import { partsOf } from '../../failure/backups.ts';
import { storeBase } from './bases.ts';

let folder: string;
let parts: BackupParts;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-schedule-'));
  parts = partsOf(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns a schedule whose clock shows this moment until `pass` is called. */
function scheduleAt(moment: string) {
  let now = Temporal.Instant.from(moment);
  let steadyMs = 0;
  const wall = { now: () => now, nowMs: () => now.epochMilliseconds };
  return {
    schedule: createSchedule({ ...parts, wall }, { BACKUP_HOUR: 3 }, () => steadyMs),
    pass(minutes: number): void {
      now = now.add({ minutes });
      steadyMs += minutes * 60_000;
    },
    setBack(days: number): void {
      now = now.subtract({ hours: days * 24 });
    },
  };
}

test('keeps a request for a base backup until one that began after it is stored', async () => {
  await storeBase(parts, '01', { timeline: 1, end: '0/20' });
  const { schedule, pass } = scheduleAt('2026-11-01T08:00:00Z');
  expect(await schedule.isBaseDue()).toBe(false);
  schedule.request();
  expect(await schedule.isBaseDue()).toBe(true);
  schedule.beginBase();
  expect(await schedule.isBaseDue()).toBe(true);
  const taken = schedule.beginBase();
  schedule.request();
  taken();
  expect(await schedule.isBaseDue()).toBe(false);
  pass(15);
  expect(await schedule.isBaseDue()).toBe(true);
  schedule.beginBase()();
  pass(15);
  expect(await schedule.isBaseDue()).toBe(false);
});

test('makes a drill due after each backup, and retries it after growing pauses until it succeeds', () => {
  const { schedule, pass } = scheduleAt('2026-11-01T08:00:00Z');
  expect(schedule.isDrillDue()).toBe(false);
  const taken = schedule.beginBase();
  taken();
  for (const minutes of [15, 30, 60, 120, 240, 240]) {
    expect(schedule.isDrillDue()).toBe(true);
    // The drill itself takes longer than the pause.
    pass(300);
    schedule.endDrill('failed');
    pass(minutes - 1);
    expect(schedule.isDrillDue()).toBe(false);
    pass(1);
  }
  schedule.endDrill('done');
  pass(600);
  expect(schedule.isDrillDue()).toBe(false);
  taken();
  expect(schedule.isDrillDue()).toBe(true);
});

test('makes a drill due, after a pause, for a base backup that was never drilled successfully', () => {
  const ran = (name: string, hour: number | null, failedHour: number | null = null): SweepRun => {
    const at = (one: number | null) =>
      one === null ? null : Temporal.Instant.from('2026-11-01T00:00:00Z').add({ hours: one });
    const counts = { took_ms: null, moved: null, error: null };
    return { name, ran_at: at(hour), failed_at: at(failedHour), ...counts };
  };
  const { base, drill } = backupRuns;
  expect(isUndrilled([])).toBe(false);
  expect(isUndrilled([ran(base, 3)])).toBe(true);
  expect(isUndrilled([ran(base, 3), ran(drill, null, 4)])).toBe(true);
  expect(isUndrilled([ran(base, 3), ran(drill, 2)])).toBe(true);
  expect(isUndrilled([ran(base, 3), ran(drill, 4)])).toBe(false);
  const { schedule, pass } = scheduleAt('2026-11-01T08:00:00Z');
  schedule.resumeDrill();
  expect(schedule.isDrillDue()).toBe(false);
  pass(15);
  expect(schedule.isDrillDue()).toBe(true);
});

test('continues backups and drills after its clock is set back by days', async () => {
  await storeBase(parts, '01', { timeline: 1, end: '0/20' });
  const { schedule, pass, setBack } = scheduleAt('2026-11-11T08:00:00Z');
  schedule.beginBase()();
  schedule.endDrill('failed');
  setBack(10);
  pass(15);
  expect(schedule.isDrillDue()).toBe(true);
  expect(await schedule.isBaseDue()).toBe(false);
  schedule.request();
  expect(await schedule.isBaseDue()).toBe(true);
  schedule.beginBase()();
  setBack(10);
  pass(27 * 60);
  expect(await schedule.isBaseDue()).toBe(true);
});

test('takes only one backup with a clock that is days ahead of the server’s or behind it', async () => {
  await storeBase(parts, '10', { timeline: 1, end: '0/20' });
  for (const moment of ['2026-11-08T08:00:00Z', '2026-11-12T08:00:00Z']) {
    const { schedule, pass } = scheduleAt(moment);
    expect(await schedule.isBaseDue()).toBe(true);
    schedule.beginBase()();
    pass(60);
    expect(await schedule.isBaseDue()).toBe(false);
  }
});
