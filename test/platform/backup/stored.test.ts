import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchedule } from '../../../src/cli/backup/schedule.ts';
import { removeOld } from '../../../src/platform/backup/keep.ts';
import {
  listStretches,
  readStretch,
  writeHistory,
  writeReached,
  writeStretch,
} from '../../../src/platform/backup/log-store.ts';
import { readLsn, writeLsn } from '../../../src/platform/backup/lsn.ts';
import { findBases, type Manifest } from '../../../src/platform/backup/manifest.ts';
import { gapsAfter, goesOn, planRestore } from '../../../src/platform/backup/plan.ts';
import { findReached } from '../../../src/platform/backup/reached.ts';
import type { BackupParts } from '../../../src/platform/backup/take.ts';
import { partsOf } from '../../failure/backups.ts';
import { clockAt, segmentBytes, storeBase } from './bases.ts';

let folder: string;
let parts: BackupParts;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-stored-'));
  parts = partsOf(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const base = (day: string, terms: Parameters<typeof storeBase>[2]) => storeBase(parts, day, terms);

/** Stores the log of timelines 1 and 2, of which the second leaves the first at 0/20. */
async function promoted(): Promise<void> {
  const { store, keys } = parts;
  const log = Buffer.alloc(0x60, 1);
  await writeStretch(store, keys, { timeline: 1, start: 0n, log });
  await writeStretch(store, keys, { timeline: 2, start: readLsn('0/20'), log });
  await writeHistory(store, keys, { timeline: 2, text: '1\t0/20\tno recovery target\n' });
  await writeReached(store, keys, {
    ...{ systemId: '1', timeline: 2, lsn: '0/70', at: '2026-11-20T00:00:00Z' },
  });
}

test('does not restore along a new timeline a base backup that ended after the promotion', async () => {
  const before = await base('01', { timeline: 1, end: '0/20' });
  const past = await base('02', { timeline: 1, end: '0/40' });
  await promoted();
  expect(await gapsAfter(parts, [before, past])).toEqual([
    null,
    expect.stringContaining('timeline 1'),
  ]);
  expect(await goesOn(parts, before)).toBe(true);
  expect(await goesOn(parts, past)).toBe(false);
  const plan = ({ id }: Manifest) => planRestore(parts.store, parts.keys, { at: null, id });
  expect((await plan(before)).path.at(-1)?.timeline).toBe(2);
  await expect(plan(past)).rejects.toMatchObject({ errorCode: 'backup.no_way' });
});

test.each([
  ['missing', (file: string) => rm(file)],
  ['damaged', (file: string) => writeFile(file, 'flipped')],
])(
  'reports a %s timeline history for each backup, and makes a backup due only after the older',
  async (state, damage) => {
    const old = await base('01', { timeline: 1, end: '0/20' });
    const own = await base('02', { timeline: 2, end: '0/40' });
    await promoted();
    await damage(path.join(folder, 'log/00000002.history'));
    const gap = expect.stringContaining(state);
    expect(await gapsAfter(parts, [old, own])).toEqual([gap, gap]);
    // Only the older one makes another base backup due.
    expect(await goesOn(parts, old)).toBe(false);
    expect(await goesOn(parts, own)).toBe(true);
  },
);

test('rejects a moment before the chosen backup, although an older backup reaches it', async () => {
  await base('01', { timeline: 1, end: '0/20' });
  const { id } = await base('03', { timeline: 1, end: '0/40' });
  const at = Temporal.Instant.from('2026-11-02T03:00:00Z');
  await expect(planRestore(parts.store, parts.keys, { at, id })).rejects.toMatchObject({
    errorCode: 'backup.nothing_before',
    message: expect.stringContaining(id),
  });
});

test('derives the end of the log if its record is damaged, and restores to it', async () => {
  const old = await base('01', { timeline: 1, end: '0/20' });
  const own = await base('02', { timeline: 2, end: '0/40' });
  await promoted();
  await writeFile(path.join(folder, 'log/reached'), 'flipped');
  const { store, keys } = parts;
  expect(await findReached(store, keys)).toEqual({
    reached: { systemId: '1', timeline: 2, lsn: '0/80', at: own.endedAt },
    damage: expect.objectContaining({ errorCode: 'backup.object_damaged' }),
  });
  expect(await gapsAfter(parts, [old, own])).toEqual([null, null]);
  expect(await goesOn(parts, old)).toBe(true);
  const plan = await planRestore(store, keys, { at: null, id: null });
  expect(plan.stretches.map(({ end }) => end)).toEqual([0x80n]);
  expect([String(plan.reaches), plan.damage?.errorCode]).toEqual([
    own.endedAt,
    'backup.object_damaged',
  ]);
});

test('derives no end of a log that ends before every base backup', async () => {
  await base('02', { timeline: 2, end: '0/90' });
  await promoted();
  await writeFile(path.join(folder, 'log/reached'), 'flipped');
  expect((await findReached(parts.store, parts.keys)).reached).toBeNull();
});

test('reads planned parts of a segment from the whole one that replaced them, and fails without it', async () => {
  await base('01', { timeline: 1, end: '0/4' });
  const { store, keys } = parts;
  const log = Buffer.from(Array.from({ length: segmentBytes }, (_, index) => index));
  for (const [from, to] of [
    [0, 6],
    [6, 8],
  ] as const) {
    await writeStretch(store, keys, {
      ...{ timeline: 1, start: BigInt(from), log: log.subarray(from, to) },
    });
  }
  const reached = { systemId: '1', timeline: 1, lsn: '0/8', at: '2026-11-20T00:00:00Z' };
  await writeReached(store, keys, reached);
  const { stretches } = await planRestore(store, keys, { at: null, id: null });
  const read = async () =>
    Buffer.concat(await Promise.all(stretches.map((one) => readStretch(store, keys, one))));
  expect(await read()).toEqual(log.subarray(0, 8));
  await writeStretch(store, keys, { timeline: 1, start: 0n, log });
  for (const { name } of stretches) await store.remove(name);
  expect(await read()).toEqual(log.subarray(0, 8));
  for (const { name } of await listStretches(store)) await store.remove(name);
  await expect(read()).rejects.toMatchObject({ errorCode: 'backup.object_missing' });
});

test('needs another base backup after a gap in the log, but not while the log lags behind the last', async () => {
  const { store, keys } = parts;
  const own = await base('01', { timeline: 1, end: '0/28' });
  const add = async (start: string, bytes: number) => {
    const log = Buffer.alloc(bytes, 1);
    await writeStretch(store, keys, { timeline: 1, start: readLsn(start), log });
    const lsn = writeLsn(readLsn(start) + BigInt(bytes));
    await writeReached(store, keys, {
      ...{ systemId: '1', timeline: 1, lsn, at: '2026-11-20T00:00:00Z' },
    });
  };
  await add('0/0', 0x10);
  expect(await goesOn(parts, own)).toBe(true);
  await add('0/10', 0x20);
  expect(await goesOn(parts, own)).toBe(true);
  await add('0/50', 0x10);
  expect(await goesOn(parts, own)).toBe(false);
});

test('orders and expires base backups by their position in the log, not by ids from a wrong clock', async () => {
  const early = await base('01', { timeline: 1, end: '0/20', id: '20261127T030000Z-aaaa' });
  const kept = await base('02', { timeline: 1, end: '0/40' });
  const newest = await base('20', { timeline: 1, end: '0/110' });
  const ids = async () => (await findBases(parts.store, parts.keys)).map(({ id }) => id);
  expect(await ids()).toEqual([early.id, kept.id, newest.id]);
  const wall = clockAt('2026-11-20T23:00:00Z');
  expect(await createSchedule({ ...parts, wall }, { BACKUP_HOUR: 3 }).isBaseDue()).toBe(false);
  expect(await removeOld({ ...parts, wall }, 14)).toBe(1);
  expect(await ids()).toEqual([kept.id, newest.id]);
});

test('keeps a backup with a damaged manifest, and its log, while it may be needed', async () => {
  const first = await base('01', { timeline: 1, end: '0/20' });
  await base('02', { timeline: 1, end: '0/40' });
  await promoted();
  const file = path.join(folder, 'base', first.id, 'manifest');
  const sealed = await readFile(file);
  await writeFile(file, 'flipped');
  const removedOn = (day: string) =>
    removeOld({ ...parts, wall: clockAt(`2026-11-${day}T04:00:00Z`) }, 14);
  expect(await removedOn('15')).toBe(0);
  expect(await listStretches(parts.store)).toHaveLength(2);
  await writeFile(file, sealed);
  expect((await findBases(parts.store, parts.keys)).map(({ state }) => state)).toEqual([
    'whole',
    'whole',
  ]);
  await writeFile(file, 'flipped');
  // Another backup restores everything since the kept days began.
  expect(await removedOn('16')).toBe(1);
});

test('expires old backups although a wrong clock dated others in the future or the past', async () => {
  await base('01', { timeline: 1, end: '0/20' });
  await base('25', { timeline: 1, end: '0/40' });
  const first = await base('02', { timeline: 1, end: '0/60' });
  await base('03', { timeline: 1, end: '0/80' });
  // Its clock was behind, which makes no earlier one old.
  await base('01', { timeline: 1, end: '0/A0', id: '20261104T030000Z-aaaa' });
  await base('05', { timeline: 1, end: '0/C0' });
  expect(await removeOld({ ...parts, wall: clockAt('2026-11-17T02:00:00Z') }, 14)).toBe(2);
  const [kept] = await findBases(parts.store, parts.keys);
  expect(kept?.id).toBe(first.id);
});

test('restores to a moment despite older backups that a wrong clock dated after it', async () => {
  const { store, keys } = parts;
  const ahead = await base('20', { timeline: 1, end: '0/20' });
  const { id } = await base('02', { timeline: 1, end: '0/40' });
  const late = await base('06', { timeline: 1, end: '0/60', id: '20261106T030000Z-aaaa' });
  const log = Buffer.alloc(0x80, 1);
  await writeStretch(store, keys, { timeline: 1, start: 0n, log });
  const reachedAt = (at: string) =>
    writeReached(store, keys, { systemId: '1', timeline: 1, lsn: '0/80', at });
  const plan = async () => {
    const at = Temporal.Instant.from('2026-11-03T00:00:00Z');
    const { base: chosen, path: branches } = await planRestore(store, keys, { at, id: null });
    return [chosen.id, writeLsn(branches.at(-1)?.end ?? 0n)];
  };
  expect(ahead.id).not.toBe(id);
  await reachedAt('2026-11-07T00:00:00Z');
  expect(await plan()).toEqual([id, late.end]);
  // The log ends after that backup and before its time, so its clock was ahead.
  await reachedAt('2026-11-05T00:00:00Z');
  expect(await plan()).toEqual([id, '0/80']);
});

test('reads the missing history of a promotion from the history of the next one', async () => {
  await base('01', { timeline: 1, end: '0/20' });
  const { store, keys } = parts;
  const log = Buffer.alloc(0x60, 1);
  await writeStretch(store, keys, { timeline: 1, start: 0n, log });
  await writeStretch(store, keys, { timeline: 3, start: readLsn('0/50'), log });
  const second = '1\t0/52\tno recovery target specified\n';
  const third = `${second}\n2\t0/54\tno recovery target specified\n`;
  await writeHistory(store, keys, { timeline: 3, text: third });
  const reached = { systemId: '1', timeline: 3, lsn: '0/B0', at: '2026-11-20T00:00:00Z' };
  await writeReached(store, keys, reached);
  const { histories } = await planRestore(store, keys, { at: null, id: null });
  expect(histories).toEqual([
    { timeline: 2, text: `${second}\n` },
    { timeline: 3, text: third },
  ]);
});
