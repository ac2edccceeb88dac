import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { calendarWith, changeDay, loadCalendar } from '../../src/calendar/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { movePromises } from '../../src/money/collections/index.ts';
import { endFees, setFees } from '../../src/money/fees/index.ts';
import { importTaxpayerRates } from '../../src/money/withholdings/index.ts';
import { testOperator as actor } from '../harness/actors.ts';
import { settle, submittedDebit } from '../harness/builders/debits.ts';
import { correct } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openTamperer } from '../harness/tamper.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';

export const terms = (percentagePpm: number, days: number) => ({
  percentagePpm,
  fixed: centavos(33),
  minimum: centavos(150),
  availableAfterDays: days,
});

/** Returns functions that take payments, and change the account's registers and calendar. */
async function openHand(service: TestService) {
  const player = playerOf(service);
  const folder = await mkdtemp(path.join(tmpdir(), 'registers-'));
  const today = () => service.service.parts.clocks.business.today();

  /** Request ids, by the history of the request. */
  const paid: Record<string, number> = {};

  async function pay(name: string, channel: string, amount = 1000): Promise<void> {
    const id = await player.create({ first_total: amount });
    expect((await player.pay(id, { channel })).status).toBe(200);
    paid[name] = id;
  }

  async function register(name: string, lines: string[]): Promise<void> {
    const file = path.join(folder, `${name}.csv`);
    const [row] = await service.sql<{ cuit: string }[]>`
      select cuit from accounts where id = ${testAccount}`;
    const head = 'cuit,regime,jurisdiction,rate,valid_from,valid_to';
    await writeFile(file, [head, ...lines.map((line) => `${row?.cuit},${line}`)].join('\n'));
    const report = await importTaxpayerRates({ ...service.service.parts.base, actor })({
      path: file,
      dryRun: false,
    });
    expect(report.outcome).toBe('imported');
  }

  /** Declares a bank holiday. Returns how many releases it affects; `move` moves them. */
  async function close(day: Temporal.PlainDate, { move }: { move: boolean }): Promise<number> {
    const { base } = service.service.parts;
    const change = {
      day,
      calendar: await calendarWith(service.sql, day, 'bank'),
      today: today(),
    };
    await changeDay({ ...base, actor }, { day, kind: 'bank' });
    const groups = await movePromises(base)(change, { apply: move, actor });
    return groups.reduce((sum, { count }) => sum + count, 0);
  }

  const addsUp = async () => expect(await player.faults()).toEqual([]);

  const stop = () => rm(folder, { recursive: true, force: true });
  return { service, player, today, paid, pay, register, close, addsUp, stop };
}

type Hand = Awaited<ReturnType<typeof openHand>>;

async function changeFees({ service, player, today, pay, addsUp }: Hand): Promise<void> {
  const { base } = service.service.parts;
  const set = setFees(base);
  const own = { accountId: testAccount, channel: 'link_pagos', actor } as const;

  await pay('by standard terms', 'link_pagos');
  await player.move({ hours: 1 });
  // Changes fees on the same day: earlier payments keep their fee, later ones get the new one.
  await set({ ...own, from: today(), terms: terms(500_000, 9) });
  await player.move({ minutes: 20 });
  await pay('by own terms', 'link_pagos');
  await addsUp();
  await player.move({ days: 3 });
  await set({ ...own, from: today(), terms: terms(10_000, 5) });
  await player.move({ hours: 1 });
  await set({ ...own, from: today(), terms: terms(20_000, 3) });
  await player.move({ hours: 1 });
  await pay('by the second terms of a day', 'link_pagos');
  await endFees(base)({ ...own, from: today().add({ days: 1 }) });
  await addsUp();
  await player.move({ days: 1 });
  await pay('by standard terms again', 'link_pagos');
}

async function changeRegisters({
  player,
  today,
  paid,
  pay,
  register,
  addsUp,
}: Hand): Promise<void> {
  await register('first', [`SIRTAC,Chaco,1.5,${today()},`]);
  await player.move({ hours: 1 });
  await pay('withheld from', 'wire_transfer', 2503.95);
  await pay('withheld from and refunded', 'credit_card', 2503.95);
  for (const amount of [1000, 0.01, 333.33]) {
    await player.refund(paid['withheld from and refunded'] ?? 0, { amount });
  }
  await addsUp();
  await player.move({ hours: 1 });
  // Registers rates for a past period: existing collections keep their withholdings.
  const before = today().subtract({ days: 4 });
  await register('past', [`SIRTAC,Chaco,3,${before},`, `IIBB,Salta,2,${before},${today()}`]);
  await player.move({ hours: 1 });
  await pay('withheld from twice', 'wire_transfer', 777.77);
  await addsUp();
}

async function changeCalendar({ service, player, today, pay, close, addsUp }: Hand): Promise<void> {
  const { base } = service.service.parts;
  const calendar = await loadCalendar(service.sql);
  await pay('promised', 'debit_card');
  const promised = calendar.nextBusinessDay(today(), 2);
  expect(await close(promised, { move: false })).toBeGreaterThan(0);
  await addsUp();
  await pay('promised behind it', 'debit_card');
  await player.move({ days: 1 });
  await pay('moved', 'credit_card');
  const next = (await loadCalendar(service.sql)).nextBusinessDay(today(), 4);
  expect(await close(next, { move: true })).toBeGreaterThan(0);
  await addsUp();
  await changeDay({ ...base, actor }, { day: next, kind: null });
  await addsUp();
}

async function giveBack({ service, player, paid, pay, addsUp }: Hand): Promise<void> {
  const { base } = service.service.parts;
  await setAccount({ ...base, actor })({ accountId: testAccount, returnsFees: true });
  await player.refund(paid['withheld from and refunded'] ?? 0, { amount: 777.77 });
  await player.chargeback(paid['withheld from and refunded'] ?? 0);
  await player.refund(paid['withheld from twice'] ?? 0);
  await correct(base)({
    accountId: testAccount,
    reference: 'c',
    note: 'n',
    amount: centavos(5_000),
    actor,
  });
  await addsUp();
  paid.expired = await player.create();
  await player.move({ days: 40 });
  const refused = await submittedDebit(service);
  await settle(service, refused.debit, { code: 'R10' });
  const { debit: run } = await submittedDebit(service);
  paid.run = run;
  await pay('last by cash', 'non_banking');
  await pay('last by card', 'credit_card');
  paid.pending = await player.create();
  await addsUp();
}

/** Opens an account whose terms, registers and calendar changed between payments and refunds. */
export async function openChangingAccount() {
  const service = await startService(withoutWorker);
  const hand = await openHand(service);
  const tamperer = openTamperer(service);
  await changeFees(hand);
  await changeRegisters(hand);
  await changeCalendar(hand);
  await giveBack(hand);
  const { player, today, paid, addsUp } = hand;
  return {
    service,
    player,
    today,
    /** Request ids, by the history of the request. */
    paid,
    addsUp,
    tamperer,
    async stop(): Promise<void> {
      await tamperer.end();
      await service.stop();
      await hand.stop();
    },
  };
}

export type ChangingAccount = Awaited<ReturnType<typeof openChangingAccount>>;
