import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renameAccount, setAccount } from '../../src/accounts/index.ts';
import { calendarWith, changeDay } from '../../src/calendar/index.ts';
import { debitTermsOf } from '../../src/composition/debits.ts';
import { rescheduleRuns, termsOfAccounts } from '../../src/debit-requests/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { movePromises } from '../../src/money/collections/index.ts';
import { setFees } from '../../src/money/fees/index.ts';
import { listPayouts } from '../../src/money/payouts/index.ts';
import { setAccountPlans } from '../../src/money/plans/index.ts';
import { importTaxpayerRates } from '../../src/money/withholdings/index.ts';
import { testOperator } from '../harness/actors.ts';
import { type DebitOffice, openDebitOffice } from '../harness/builders/debit-office.ts';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { cbu, signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { wallsOf } from '../harness/builders/static-qrs.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';

/**
 * Checks the table of docs/reference/money-tables.md row by row: the effect of an edit on existing
 * payments and debits.
 */
const accountId = testAccount;
const actor = testOperator;
const otherCbu = '2850590940090418135201';

let service: TestService;
let player: Player;
let office: DebitOffice;
let folder: string;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  player = playerOf(service);
  office = await openDebitOffice(service);
  folder = await mkdtemp(path.join(tmpdir(), 'edits-'));
});
afterAll(async () => {
  expect(await player.faults()).toEqual([]);
  await office.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const base = () => service.service.parts.base;
const acting = () => ({ ...base(), actor });
const today = () => base().clocks.business.today();
const set = (change: Omit<Parameters<ReturnType<typeof setAccount>>[0], 'accountId'>) =>
  setAccount(acting())({ accountId, ...change });

/** Returns the day's reports and the amounts owed. */
async function books(day: Temporal.PlainDate): Promise<unknown[]> {
  const names = ['collection', 'chargeback', 'refund', 'settlement', 'retentions'];
  const reports = await Promise.all(
    names.map(async (name) => (await service.call('GET', `/report/${name}/${day}`)).body),
  );
  return [...reports, await player.balances()];
}

/** Checks that an act changes neither reports nor balances. */
async function changesNothing(act: () => Promise<unknown>): Promise<void> {
  const before = await books(today());
  await act();
  expect(await books(today())).toEqual(before);
}

const paid = async (amount = 1000, channel = 'credit_card'): Promise<number> => {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
};

const resultOf = async (id: number) => (await player.get(id)).request_result[0];

const runOf = async (id: number) => {
  const [run] = await service.sql<{ submit_on: unknown; run_on: unknown }[]>`
    select submit_on, run_on from debit_runs where request_id = ${id}`;
  return [String(run?.submit_on), String(run?.run_on)];
};

/** Declares a bank holiday, and reschedules debits. Also moves release days if `move` is set. */
async function closeDay(day: Temporal.PlainDate, { move }: { move: boolean }): Promise<void> {
  const change = { day, calendar: await calendarWith(service.sql, day, 'bank'), today: today() };
  await changeDay(acting(), { day, kind: 'bank' });
  const terms = termsOfAccounts(service.sql, debitTermsOf(service.config));
  await rescheduleRuns(base(), terms)(change, { apply: true, actor });
  await movePromises(base())(change, { apply: move, actor });
}

async function cardDebitOf(months: number): Promise<number> {
  const period = today().add({ months });
  const { body } = await createCardDebit(service, await signedCardAdhesion(service), {
    ...{ month: period.month, year: period.year },
  });
  return body.id;
}

const rows: Record<string, () => Promise<void>> = {
  async 'a payment request, a debit, a card debit, a static QR'() {
    const request = await paid();
    const debit = await office.debit(await signedAdhesion(service));
    const cardDebit = await cardDebitOf(2);
    const wall = await wallsOf(service).create();
    for (const target of [
      `/payment-request/${request}`,
      `/debit-request/${debit}`,
      `/card-debit-request/${cardDebit}`,
      `/status-static/${wall.id}`,
    ]) {
      for (const method of ['PUT', 'PATCH', 'POST']) {
        const edit = { first_total: 1, amount: 1, description: 'Otra' };
        const before = (await service.call('GET', target)).body;
        const { status } = await service.call(method, target, { body: edit });
        expect([404, 405], `${method} ${target}`).toContain(status);
        expect((await service.call('GET', target)).body).toEqual(before);
      }
    }
    const edited = await service.call('POST', `/edit-qr/${wall.id}`, {
      body: { id: wall.id, description: 'Otra' },
    });
    expect(edited.status).toBe(404);
  },

  async "a QR's amount, texts, dates"() {
    const { save, edit, pay, status } = callerOf(service);
    await save([itemOf(service, 'm', { multiple_payment: true, first_total: 100 })]);
    const code = full('m');
    await pay(code);
    const fields = {
      first_total: 250.5,
      ...{ description: 'Otra', city: 'Salta', payer_name: 'Luz', external_reference: 'otra' },
      ...{ first_due_date: dayIn(service, 4), second_due_date: dayIn(service, 9) },
      second_total: 300,
    };
    for (const [name, value] of Object.entries(fields)) {
      const pair = name.startsWith('second') ? fields : { [name]: value };
      await changesNothing(async () => {
        const { status: answered, text } = await edit(code, { id: code, ...pair });
        expect(answered, text).toBe(200);
      });
    }
    await pay(code);
    const { request_id } = (await status(code)).body;
    const { body } = await service.call('GET', `/report/collection/${today()}`);
    const mine = (body.data as Record<string, unknown>[])
      .filter((row) => row.request_id === request_id)
      .map((row) => [row.amount_paid, row.description, row.external_reference]);
    expect(mine.sort()).toEqual([
      [100, 'Cuota de diciembre', 'ref m'],
      [250.5, 'Otra', 'otra'],
    ]);
    await save([itemOf(service, 'once')]);
    await pay(full('once'));
    expect((await edit(full('once'), { id: full('once'), first_total: 20 })).status).toBe(409);
    await player.move({ days: 10 });
    expect((await edit(code, { id: code, first_total: 20 })).status).toBe(409);
  },

  async 'a QR, from many payments to one'() {
    const { save, edit, pay } = callerOf(service);
    await save([itemOf(service, 'n', { multiple_payment: true })]);
    const one = { id: full('n'), multiple_payment: false };
    await pay(full('n'));
    await changesNothing(async () => {
      expect((await edit(full('n'), one)).status).toBe(400);
    });
  },

  async "an account's fees"() {
    const id = await paid(1000, 'link_pagos');
    const before = await resultOf(id);
    const terms = {
      percentagePpm: 90_000,
      fixed: centavos(0),
      minimum: centavos(0),
      availableAfterDays: 9,
    };
    const change = { accountId, channel: 'link_pagos', actor, terms } as const;
    await changesNothing(() => setFees(base())({ ...change, from: today() }));
    expect(await resultOf(id)).toEqual(before);
    expect((await resultOf(await paid(1000, 'link_pagos'))).net_fee).toBe(90);
    const past = today().subtract({ days: 1 });
    await expect(setFees(base())({ ...change, from: past })).rejects.toThrow(
      'earlier payments keep their fees',
    );
  },

  async '`returns_fees` of an account'() {
    const id = await paid(1000);
    const { net_fee, fee_iva } = await resultOf(id);
    await player.refund(id, { amount: 400 });
    await changesNothing(() => set({ returnsFees: true }));
    await player.refund(id, { amount: 600 });
    await set({ returnsFees: false });
    const returned = await service.sql<{ back: number }[]>`
      select (net_fee + fee_iva)::int as back from results
      where request_id = ${id} and type = 'refund' order by id`;
    const part = Math.round((net_fee + fee_iva) * 60);
    expect(returned.map(({ back }) => 0 - back)).toEqual([0, part]);
  },

  async '`refunds_below_zero` of an account'() {
    await set({ payoutCbu: cbu, refundsBelowZero: true });
    await player.move({ days: 40 });
    const id = await paid(500, 'DEBIN');
    await player.move({ minutes: 0 });
    await sendPayout(base())({ accountId, reference: 'all', amount: null, actor });
    expect(await player.balances()).toEqual([0, 0]);
    const ask = (amount: number) =>
      service.call('POST', `/payment-request/${id}/refund`, { body: { refund: { amount } } });
    expect((await ask(100.94)).body.state).toBe('requested');
    await changesNothing(() => set({ refundsBelowZero: false }));
    expect((await ask(10)).status).toBe(409);
    await player.move({ days: 1 });
    const { data } = (await service.call('GET', `/payment-request/${id}/refund`)).body;
    expect(data).toMatchObject([{ state: 'done', amount: 100.94 }]);
  },

  async "an account's CBU for payouts"() {
    await set({ payoutCbu: cbu });
    await paid(2000, 'DEBIN');
    await player.move({ minutes: 0 });
    const { payout } = await sendPayout(base())({
      ...{ accountId, reference: 'kept', amount: centavos(100), actor },
    });
    await changesNothing(() => set({ payoutCbu: otherCbu }));
    await expect(set({ payoutCbu: '123' })).rejects.toThrow('22 digits');
    const all = await listPayouts(service.sql, accountId, { after: 0, limit: 100 });
    expect(all.find(({ id }) => id === payout.id)?.cbu).toBe(cbu);
  },

  async 'the cut day of cards'() {
    const id = await cardDebitOf(3);
    const before = await runOf(id);
    await set({ cardCutDay: 5 });
    expect(await runOf(id)).toEqual(before);
    const other = await cardDebitOf(3);
    const [early = ''] = await runOf(other);
    expect(early < (before[0] ?? '')).toBe(true);
    // A day between both cuts does not affect a debit of the earlier one.
    const between = Temporal.PlainDate.from(early).add({ days: 5 });
    await closeDay(between, { move: false });
    expect(await runOf(id)).toEqual(before);
    for (const day of [0, 32, 1.5]) {
      await expect(set({ cardCutDay: day })).rejects.toThrow('1 to 31');
    }
    await set({ cardCutDay: 19 });
  },

  async "an account's name, limits and card plans"() {
    const id = await player.create({ first_total: 900 });
    await player.pay(id, { channel: 'credit_card', installments: 3 });
    const before = await resultOf(id);
    await changesNothing(async () => {
      await renameAccount(acting(), { accountId, name: 'Otro club' });
      await set({ limits: { letters_a_day: 1, letters_a_minute: 1, unsigned_mandates: 1 } });
      await setAccountPlans(acting())({ accountId, brand: 'visa', installments: [1] });
    });
    expect(await resultOf(id)).toEqual(before);
    expect(before.payment_metadata.installments).toBe(3);
    const refused = await player.create();
    const more = await player.pay(refused, { channel: 'credit_card', installments: 3 });
    expect(more.status, more.text).toBe(400);
    await expect(set({ limits: { letters_a_day: 1.5 } })).rejects.toThrow('whole number');
    const unknown = { accountId, brand: 'visa', installments: [7] } as const;
    await expect(
      setAccountPlans(acting())({ ...unknown, installments: [...unknown.installments] }),
    ).rejects.toThrow();
    await setAccountPlans(acting())({ accountId, brand: 'visa', installments: null });
    const none = { letters_a_day: null, letters_a_minute: null, unsigned_mandates: null };
    await set({ limits: none });
  },

  async "a mandate's account or card"() {
    const mandate = await signedAdhesion(service);
    const replace = (number: string) =>
      service.service.parts.mandates.replace({
        key: { accountId, kind: 'adhesion', id: mandate },
        instrument: { type: 'cbu', cbu: number },
        actor,
      });
    await handOver(service, await office.debit(mandate));
    const first = await office.export('direct-debit-350');
    const lines = await office.read(first.files[0]?.path ?? '');
    const later = await office.debit(mandate);
    expect(await replace(otherCbu)).toBe('replaced');
    const again = await office.export('direct-debit-350');
    expect(await office.read(again.files[0]?.path ?? '')).toEqual(lines);
    await handOver(service, later);
    const second = await office.export('direct-debit-350');
    const numbers = (text: string[]) =>
      [cbu, otherCbu].map((one) => text.join().includes(one.slice(8, 21)));
    expect(numbers(lines)).toEqual([true, false]);
    expect(numbers(await office.read(second.files[0]?.path ?? ''))).toEqual([false, true]);
    await service.call('PUT', `/adhesion/${mandate}/cancel`);
    expect(await replace(cbu)).toBe('ended');
  },

  async 'registers of withholdings'() {
    const id = await paid(1000);
    const before = await player.get(id, '?detail_retentions=true');
    const file = path.join(folder, 'register.csv');
    const [row] = await service.sql<{ cuit: string }[]>`
      select cuit from accounts where id = ${accountId}`;
    const head = 'cuit,regime,jurisdiction,rate,valid_from,valid_to';
    await writeFile(file, `${head}\n${row?.cuit},SIRTAC,Salta,2.5,01-01-2020,\n`);
    await changesNothing(() => importTaxpayerRates(acting())({ path: file, dryRun: false }));
    expect(await player.get(id, '?detail_retentions=true')).toEqual(before);
    const later = await player.get(await paid(1000), '?detail_retentions=true');
    expect(later.retentions).toMatchObject([{ amount: 25 }]);
  },

  async 'the bank calendar'() {
    const id = await paid(1000);
    const available = String((await resultOf(id)).available_at).slice(0, 10);
    const debit = await office.debit(await signedAdhesion(service), {
      first_due_date: dayIn(service, 30),
    });
    const [submit = '', run = ''] = await runOf(debit);
    await player.move({ days: 1 });
    const yesterday = today().subtract({ days: 1 });
    const report = (await books(yesterday)).slice(0, 5);
    await changesNothing(async () => {
      await closeDay(Temporal.PlainDate.from(available), { move: false });
      await closeDay(Temporal.PlainDate.from(run), { move: false });
    });
    expect(String((await resultOf(id)).available_at).slice(0, 10)).toBe(available);
    const [submitNow = '', runNow = ''] = await runOf(debit);
    expect(runNow > run && submitNow >= submit).toBe(true);
    await closeDay(Temporal.PlainDate.from(available), { move: true });
    expect(String((await resultOf(id)).available_at).slice(0, 10) > available).toBe(true);
    expect((await books(yesterday)).slice(0, 5)).toEqual(report);
    await player.move({ advance_to: `${submitNow}T06:00:00-03:00` });
    await closeDay(Temporal.PlainDate.from(runNow), { move: true });
    expect(await runOf(debit)).toEqual([submitNow, runNow]);
  },

  async webhooks() {
    const url = 'http://127.0.0.1:9/hook';
    const { body } = await service.call('POST', '/webhook', {
      body: { webhook: { url, event_types: ['payment_request.paid'] } },
    });
    const edit = { body: { webhook: { url: `${url}2`, event_types: ['*'] } } };
    expect((await service.call('PUT', `/webhook/${body.id}`, edit)).status).toBe(200);
    const listed = (await service.call('GET', '/webhook')).body.data;
    expect(listed).toMatchObject([{ id: body.id, url: `${url}2`, all_events: true }]);
    const rotated = await service.call('POST', `/webhook/${body.id}/rotate-secret`);
    expect(rotated.body.secret).not.toBe(body.secret);
    const until = Temporal.Instant.from(rotated.body.previous_secret_expires_at);
    const hours = (until.epochMilliseconds - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect((await service.call('DELETE', `/webhook/${body.id}`)).status).toBe(200);
  },
};

test('covers every row of the documented table, and no other', () => {
  const text = readFileSync(
    new URL('../../docs/reference/money-tables.md', import.meta.url),
    'utf8',
  );
  const section = text.slice(text.indexOf('## What an edit'), text.indexOf('## Each fact'));
  const edited = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|')[1]?.trim());
  expect(edited).toEqual(Object.keys(rows));
});

test.each(Object.keys(rows))(
  'has the documented effects on payments and debits for an edit of %s',
  async (name) => {
    await rows[name]?.();
  },
);
