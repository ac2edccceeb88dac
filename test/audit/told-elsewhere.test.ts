import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorBooks } from '../../src/accounts/index.ts';
import { changeDay } from '../../src/calendar/index.ts';
import { testOperator } from '../harness/actors.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openTamperer, type Tamperer } from '../harness/tamper.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

/**
 * Checks facts that are stored twice, in another row or an event, which the audit compares even
 * without seals.
 */
let service: TestService;
let player: Player;
let tamperer: Tamperer;
/** Requests by their history. */
const ids = { refunded: 0, other: 0, reverted: 0, deleted: 0 };
const closed = '2027-03-03';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  player = playerOf(service);
  tamperer = openTamperer(service);
  ids.refunded = await paid('credit_card');
  await player.refund(ids.refunded, { amount: 100 });
  ids.other = await paid('non_banking');
  ids.reverted = await paid('link_pagos');
  await player.chargeback(ids.reverted);
  const { save, remove } = callerOf(service);
  await save([itemOf(service, 'gone')]);
  expect((await remove(full('gone'))).status).toBe(200);
  const [gone] = await service.sql<{ id: number }[]>`
    select id from requests where code = ${full('gone')}`;
  ids.deleted = gone?.id ?? 0;
  const acting = { ...service.service.parts.base, actor: testOperator };
  for (const kind of ['holiday', 'bank']) {
    await changeDay(acting, { day: Temporal.PlainDate.from(closed), kind });
  }
  const forgotten = Temporal.PlainDate.from('2027-03-04');
  await changeDay(acting, { day: forgotten, kind: 'bank' });
  await changeDay(acting, { day: forgotten, kind: null });
});
afterAll(async () => {
  await tamperer.end();
  await service.stop();
});

async function paid(channel: string): Promise<number> {
  const id = await player.create({ first_total: 1000 });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
}

const faultsAfter = (statement: string, account?: string): Promise<string[]> =>
  tamperer.faultsAfter(statement, { sealed: false, ...(account !== undefined && { account }) });

const backOf = (id: number): string =>
  `(select id from results where request_id = ${id} and type in ('refund', 'chargeback'))`;
const paymentOf = (id: number): string =>
  `(select id from results where request_id = ${id} and type = 'collected')`;

test('finds no fault before any change', async () => {
  expect(await faultsAfter('select 1')).toEqual([]);
  expect(await faultsAfter('select 1', operatorBooks)).toEqual([]);
});

test.each(['refunded', 'reverted'] as const)(
  'requires a reversal of a %s request to match its own payment',
  async (name) => {
    const back = backOf(ids[name]);
    const idOf = async (query: string): Promise<number> => {
      const [row] = await service.sql.unsafe<{ id: number }[]>(query);
      return row?.id ?? 0;
    };
    const other = await idOf(paymentOf(ids.other));
    const said = `result ${await idOf(back)} does not match the payment that it reverses: `;
    const set = (change: string) => faultsAfter(`update results set ${change} where id = ${back}`);
    expect(await set(`channel_label = 'Otra'`)).toContain(`${said}channel`);
    expect(await set(`channel = 'DEBIN'`)).toContain(`${said}channel`);
    expect(await set(`paid_at = '2026-11-01T12:00:00Z'`)).toContain(`${said}paid_at`);
    expect(await set(`reverses_id = ${other}`)).toContain(`${said}request_id, channel`);
    expect(await set(`reverses_id = id`)).toContain(`${said}reverses_id`);
  },
);

test('detects a changed label of a partly reversed payment', async () => {
  const change = `update results set channel_label = 'Otra' where id = ${paymentOf(ids.refunded)}`;
  expect(await faultsAfter(change)).toEqual([
    expect.stringMatching(/^result \d+ does not match the payment that it reverses: channel$/),
  ]);
});

test.each(['pending', 'expired', 'paid'])(
  'reports a deleted QR whose state is changed to %s',
  async (state) => {
    const faults = await faultsAfter(
      `update requests set state = '${state}' where id = ${ids.deleted}`,
    );
    expect(faults).toContain(`request ${ids.deleted} is ${state}, but its last event says deleted`);
  },
);

test('reports an inserted, changed or removed calendar day in the operator’s books', async () => {
  const named = (statement: string) => faultsAfter(statement, operatorBooks);
  for (const day of ['2027-03-04', '2027-03-05']) {
    expect(await named(`insert into calendar_days (day, kind) values ('${day}', 'bank')`)).toEqual([
      `calendar day ${day} is bank, but its last event says nothing`,
    ]);
  }
  const of = `where day = '${closed}'`;
  expect(await named(`update calendar_days set kind = 'open' ${of}`)).toEqual([
    `calendar day ${closed} is open, but its last event says bank`,
  ]);
  expect(await named(`delete from calendar_days ${of}`)).toEqual([
    `calendar day ${closed} is not added, but its last event says bank`,
  ]);
});
