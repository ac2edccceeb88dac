import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay, midnightOf } from '../../src/kernel/dates.ts';
import { releaseSweep } from '../../src/money/collections/index.ts';
import { booksCloser, onOpenDay } from '../../src/money/ledger/index.ts';
import { reportNames } from '../../src/reports/schema.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());

const today = () => service.service.parts.clocks.business.today();
const nights = 50;

/** Pays and refunds without a pause until stopped. Every call must succeed. */
async function keepPaying(wanted: () => boolean): Promise<number> {
  let paid = 0;
  while (wanted()) {
    const id = await player.create();
    const answers = [await player.pay(id), await player.refund(id, { amount: 1 })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    paid += 1;
  }
  return paid;
}

const reportsOf = (day: Temporal.PlainDate): Promise<string[]> =>
  Promise.all(
    reportNames.map(async (name) => {
      const { status, text } = await service.call('GET', `/report/${name}/${formatDay(day)}`);
      expect(status).toBe(200);
      return text;
    }),
  );

test('never changes a past day’s report, however payments and midnights meet', async () => {
  let going = true;
  const payers = Array.from({ length: 4 }, () => keepPaying(() => going));
  const read: { day: Temporal.PlainDate; texts: string[] }[] = [];
  try {
    for (let night = 0; night < nights; night += 1) {
      const day = today();
      const almost = midnightOf(day.add({ days: 1 })).subtract({ milliseconds: 30 });
      await player.move({ advance_to: almost.toString() });
      while (today().equals(day)) await pause(1);
      read.push({ day, texts: await reportsOf(day) });
    }
  } finally {
    going = false;
  }
  const paid = (await Promise.all(payers)).reduce((sum, count) => sum + count, 0);
  expect(paid).toBeGreaterThan(nights);
  for (const { day, texts } of read) expect(await reportsOf(day)).toEqual(texts);
  const listed = read.flatMap(({ texts }) => JSON.parse(texts[0] ?? '').data).length;
  const last = JSON.parse((await reportsOf(today()))[0] ?? '').data.length;
  expect(listed + last).toBe(paid);
  expect(await player.faults()).toEqual([]);
}, 120_000);

test('assigns a payment that waits over midnight to the day on which it is written', async () => {
  const { sql } = service;
  const id = await player.create();
  const day = today();
  const almost = midnightOf(day.add({ days: 1 })).subtract({ seconds: 3 });
  await player.move({ advance_to: almost.toString() });
  let paying: Promise<{ status: number }> | null = null;
  const texts = await sql.begin(async (tx) => {
    await tx`select 1 from requests where id = ${id} for update`;
    paying = player.pay(id);
    while ((await waitingFor('transactionid')) === 0) await pause(2);
    expect(today()).toEqual(day);
    while (today().equals(day)) await pause(1);
    return await reportsOf(day);
  });
  expect(await paying).toMatchObject({ status: 200 });
  expect(await reportsOf(day)).toEqual(texts);
  const [collected] = await reportsOf(day.add({ days: 1 }));
  expect(JSON.parse(collected ?? '').data).toMatchObject([{ request_id: id }]);
  expect(await player.faults()).toEqual([]);
});

test('releases on the new day what a sweep that began before midnight reaches later', async () => {
  const { sql } = service;
  const { base, clocks } = service.service.parts;
  const day = today();
  const midnight = midnightOf(day.add({ days: 1 }));
  await player.move({ advance_to: midnight.subtract({ minutes: 10 }).toString() });
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  const begun = clocks.business.now();
  expect(today()).toEqual(day);
  await clocks.moveTo(midnight);
  const texts = await reportsOf(day);
  expect(await releaseSweep(base).run(begun)).toBe(1);
  const released = await sql`
    select available_on::text, released_on::text from results where request_id = ${id}`;
  expect(released).toEqual([
    { available_on: day.toString(), released_on: day.add({ days: 1 }).toString() },
  ]);
  expect(await reportsOf(day)).toEqual(texts);
  expect(await player.faults()).toEqual([]);
});

test('refuses in the database a posting on a closed day, and leaves no trace', async () => {
  const { sql } = service;
  await booksCloser(sql)(today().subtract({ days: 1 }));
  const before = await sql`select count(*)::int as count from journals`;
  const yesterday = today().subtract({ days: 1 });
  await expect(sql`select post_on(${yesterday}::date)`).rejects.toMatchObject({ code: 'RC001' });
  expect(await sql`select post_on(${today()}::date)`).toHaveLength(1);
  expect(await sql`select count(*)::int as count from journals`).toEqual(before);
});

test('waits for a posting in progress when its day closes, and reruns later ones', async () => {
  const { sql } = service;
  const day = today();
  const yesterday = day.subtract({ days: 1 });
  const posted: string[] = [];
  let close: Promise<void> | null = null;
  await sql.begin(async (tx) => {
    await tx`select post_on(${day}::date)`;
    close = booksCloser(sql)(yesterday).then(() => void posted.push('closed'));
    while ((await waitingFor('advisory')) === 0) await pause(2);
    await expect(sql`select post_on(${day}::date)`).rejects.toMatchObject({ code: 'RC001' });
    posted.push('posted');
  });
  await close;
  expect(posted).toEqual(['posted', 'closed']);
  let tries = 0;
  const answer = await onOpenDay(async () => {
    tries += 1;
    const on = tries === 1 ? yesterday : day;
    await sql`select post_on(${on}::date)`;
    return on;
  });
  expect(answer).toEqual(day);
});

test('does not close a day that is not over by the database’s clock', async () => {
  const { sql } = service;
  for (const day of [today(), today().add({ days: 1 })]) {
    await expect(booksCloser(sql)(day)).rejects.toThrow('is not over by the clock');
  }
  expect(await sql`select post_on(${today()}::date)`).toHaveLength(1);
});

/** Counts the calls that wait for a lock of this kind. */
async function waitingFor(locktype: string): Promise<number> {
  const rows = await service.sql`
    select 1 from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = ${locktype} and not l.granted and a.datname = current_database()`;
  return rows.length;
}
