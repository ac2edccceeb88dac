import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClocks, type ServiceClocks } from '../../src/platform/clocks.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import {
  createSweepRuns,
  failedLast,
  noteRun,
  readSweepRuns,
  type SweepRun,
} from '../../src/platform/sweep-runs.ts';
import { createSweeper, type Sweep } from '../../src/platform/sweeps.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
let clocks: ServiceClocks;
beforeAll(async () => {
  database = await createTestDatabase();
  clocks = await createClocks(database.sql);
});
afterAll(() => database.drop());

const sweeperOf = (sweeps: Sweep[], stallMs?: number) =>
  createSweeper(database.sql, clocks, sweeps, {
    log: createLog('silent'),
    metrics: createMetrics(),
    ...(stallMs !== undefined && { stallMs }),
  });

/** Creates a sweep with due moments, whose work may add further moments. */
function agenda(name: string, done?: (moment: Temporal.Instant) => void) {
  const due: Temporal.Instant[] = [];
  const seen: { due: Temporal.Instant; at: Temporal.Instant }[] = [];
  const sweep: Sweep = {
    name,
    nextDue: async () => due.toSorted(Temporal.Instant.compare)[0] ?? null,
    async run(now) {
      const ready = due.filter((one) => Temporal.Instant.compare(one, now) <= 0);
      for (const one of ready) {
        due.splice(due.indexOf(one), 1);
        seen.push({ due: one, at: now });
        done?.(one);
      }
      return ready.length;
    },
  };
  return { due, seen, sweep };
}

const late = ({ due, at }: { due: Temporal.Instant; at: Temporal.Instant }): number =>
  due.until(at).total('seconds');

const inDays = (days: number): Temporal.Instant => clocks.business.now().add({ hours: 24 * days });

describe('a move of the business clock', () => {
  test('does each piece of work at its time, even if another sweep creates it only then', async () => {
    const first = agenda('first');
    const second = agenda('second', (moment) => first.due.push(moment, moment.add({ hours: 24 })));
    second.due.push(inDays(1), inDays(3));
    const { blockedBy, happened } = await sweeperOf([first.sweep, second.sweep]).advanceTo(
      inDays(9),
    );
    expect(blockedBy).toBeNull();
    expect(happened).toEqual([
      { what: 'second', count: 2 },
      { what: 'first', count: 4 },
    ]);
    for (const one of [...first.seen, ...second.seen]) expect(late(one)).toBeLessThan(60);
  });

  test('waits for blocked work, and then does it and later work at the time of each', async () => {
    let refusals = 3;
    const { due, seen, sweep } = agenda('held');
    const slow: Sweep = {
      ...sweep,
      run: async (now) => {
        refusals -= 1;
        return refusals >= 0 ? 0 : await sweep.run(now);
      },
    };
    due.push(inDays(1), inDays(2), inDays(3));
    const { blockedBy } = await sweeperOf([slow]).advanceTo(inDays(5));
    expect(blockedBy).toBeNull();
    expect(seen).toHaveLength(3);
    for (const one of seen) expect(late(one)).toBeLessThan(60);
  });

  test('stops a blocked move where it is, names the blocked work, and allows a retry', async () => {
    const { due, seen, sweep } = agenda('stuck');
    const other = agenda('other');
    let stuck = true;
    const sometimes: Sweep = { ...sweep, run: async (now) => (stuck ? 0 : await sweep.run(now)) };
    const target = inDays(4);
    other.due.push(inDays(1), inDays(3));
    due.push(inDays(2));
    const moment = due[0] as Temporal.Instant;
    const sweeper = sweeperOf([sometimes, other.sweep], 50);
    const stopped = await sweeper.advanceTo(target);
    expect(stopped).toMatchObject({ blockedBy: 'stuck', happened: [{ what: 'other', count: 1 }] });
    expect(late({ due: moment, at: clocks.business.now() })).toBeLessThan(60);
    stuck = false;
    expect((await sweeper.advanceTo(target)).blockedBy).toBeNull();
    for (const one of [...seen, ...other.seen]) expect(late(one)).toBeLessThan(60);
    expect(late({ due: target, at: clocks.business.now() })).toBeGreaterThanOrEqual(0);
  });

  test('stops a move at the time of a failing sweep, and continues on a retry', async () => {
    const { due, seen, sweep } = agenda('failing');
    let broken = true;
    const failing: Sweep = {
      ...sweep,
      run: (now) => (broken ? Promise.reject(new Error('broken')) : sweep.run(now)),
    };
    due.push(inDays(1), inDays(2));
    const moment = due[0] as Temporal.Instant;
    const target = inDays(3);
    const sweeper = sweeperOf([failing]);
    await expect(sweeper.advanceTo(target)).rejects.toThrow('broken');
    expect(late({ due: moment, at: clocks.business.now() })).toBeLessThan(60);
    broken = false;
    expect((await sweeper.advanceTo(target)).blockedBy).toBeNull();
    expect(seen).toHaveLength(2);
    for (const one of seen) expect(late(one)).toBeLessThan(60);
  });
});

test('runs the other sweeps if one fails as time passes', async () => {
  const works = agenda('works');
  works.due.push(clocks.business.now());
  const failing: Sweep = {
    name: 'fails',
    nextDue: async () => clocks.business.now(),
    run: () => Promise.reject(new Error('broken')),
  };
  await sweeperOf([failing, works.sweep]).tick();
  expect(works.seen).toHaveLength(1);
});

test('records an error whose text contains NUL', async () => {
  const runs = createSweepRuns(database.sql, clocks.wall);
  runs.failed('with nul', new Error('bad\0 byte'));
  await runs.flush();
  const kept = await readSweepRuns(database.sql);
  expect(kept.find(({ name }) => name === 'with nul')).toMatchObject({ error: 'bad byte' });
  await database.sql`delete from sweep_runs where name = 'with nul'`;
});

test('clears a fault in the next run, even if a clock ahead of the server’s recorded it', async () => {
  const { sql } = database;
  const now = () => clocks.wall.now().add({ hours: 240 });
  const ahead = { now, nowMs: () => now().epochMilliseconds };
  await noteRun(sql, ahead, 'ahead', { fault: new Error('clocks differ') });
  const run = async () => (await readSweepRuns(sql)).find(({ name }) => name === 'ahead');
  expect(failedLast((await run()) as SweepRun)).toBe(true);
  await noteRun(sql, clocks.wall, 'ahead', { beganMs: clocks.wall.nowMs(), moved: 1 });
  expect(failedLast((await run()) as SweepRun)).toBe(false);
  await sql`delete from sweep_runs where name = 'ahead'`;
});

test('continues to sweep while outcomes cannot be written, and writes them later', async () => {
  let nowMs = clocks.wall.nowMs();
  const wall = { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs), nowMs: () => nowMs };
  const runs = createSweepRuns(database.sql, wall);
  const sweeper = createSweeper(database.sql, clocks, [], {
    log: createLog('silent'),
    metrics: createMetrics(),
    runs,
  });
  await asSuperuser('alter table sweep_runs rename to sweep_runs_away', database.url);
  runs.ran('kept', { beganMs: nowMs, moved: 3 });
  runs.failed('other', new Error('first'));
  expect(await sweeper.tick()).toBeNull();
  runs.failed('kept', new Error('late'));
  runs.failed('other', new Error('second'));
  nowMs += 10_000;
  expect((await sweeper.advanceTo(clocks.business.now())).blockedBy).toBeNull();
  await asSuperuser('alter table sweep_runs_away rename to sweep_runs', database.url);
  nowMs += 10_000;
  await sweeper.tick();
  const kept = (await readSweepRuns(database.sql)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(kept).toMatchObject([
    { name: 'kept', moved: 3, error: 'late' },
    { name: 'other', moved: null, error: 'second' },
  ]);
});
