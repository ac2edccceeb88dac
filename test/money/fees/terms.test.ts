import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import type { ChannelCode } from '../../../src/money/channels/index.ts';
import { endFees, setFees } from '../../../src/money/fees/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => expect(await player.faults()).toEqual([]));

const base = () => service.service.parts.base;
const dayAfter = (days: number) => service.service.parts.clocks.business.today().add({ days });
const change = (channel: ChannelCode, days: number, accountId = testAccount) => ({
  accountId,
  channel,
  from: dayAfter(days),
  actor: testOperator,
});
const set = (channel: ChannelCode, days: number, percent: number, accountId = testAccount) =>
  setFees(base())({
    ...change(channel, days, accountId),
    terms: {
      percentagePpm: percent * 10_000,
      fixed: centavos(0),
      minimum: centavos(0),
      availableAfterDays: 3,
    },
  });
const end = (channel: ChannelCode, days: number) => endFees(base())(change(channel, days));

/** Returns the fee in pesos of a payment of 1,000 pesos made now. */
async function feeNow(channel: ChannelCode): Promise<number> {
  const id = await player.create({ first_total: 1000 });
  const { body } = await player.pay(id, { channel });
  return body.request_result[0].net_fee;
}

test('applies terms from their first day on, until replaced or ended', async () => {
  expect(await feeNow('link_pagos')).toBe(15);
  await set('link_pagos', 0, 2);
  await set('link_pagos', 5, 3);
  await end('link_pagos', 10);
  expect(await feeNow('link_pagos')).toBe(20);
  await player.move({ days: 5 });
  expect(await feeNow('link_pagos')).toBe(30);
  await player.move({ days: 4 });
  expect(await feeNow('link_pagos')).toBe(30);
  await player.move({ days: 1 });
  expect(await feeNow('link_pagos')).toBe(15);
  await set('link_pagos', 0, 4);
  expect(await feeNow('link_pagos')).toBe(40);
});

test('keeps the fee of a collection when the day’s terms change', async () => {
  await set('banelco_pmc', 0, 2);
  const id = await player.create({ first_total: 1000 });
  await player.pay(id, { channel: 'banelco_pmc' });
  await set('banelco_pmc', 0, 9);
  expect((await player.get(id)).request_result[0].net_fee).toBe(20);
  expect(await feeNow('banelco_pmc')).toBe(90);
});

test('drops planned terms that are ended before they begin, and refuses to end them twice', async () => {
  await set('qr', 3, 5);
  await end('qr', 2);
  await expect(end('qr', 2)).rejects.toMatchObject({ status: 409 });
  await expect(end('debit_card', 0)).rejects.toThrow(/no special terms to end/);
  await set('debit_card', 0, 5);
  await end('debit_card', 0);
  expect(await feeNow('wire_transfer')).toBe(8);
});

test('refuses a past day and names the earliest one, and refuses an unknown account', async () => {
  await expect(set('qr', -1, 5)).rejects.toThrow(/Choose today, \d\d-\d\d-\d{4}/);
  await expect(end('qr', -1)).rejects.toMatchObject({ status: 400 });
  await expect(set('qr', 1, 5, 'FFFFFFFF')).rejects.toMatchObject({ status: 404 });
});

test('writes an event per change, even if concurrent, and none for an unchanged value', async () => {
  const sets = [5, 6, 5].map((percentage) => set('non_banking', 1, percentage));
  await Promise.all([...sets, end('link_pagos', 0)]);
  await set('non_banking', 1, 7);
  await set('non_banking', 1, 7);
  const events = await service.sql<{ type: string; data: Record<string, unknown> }[]>`
    select type, data from events where account_id = ${testAccount} and entity = 'fees'
      and data->>'channel' = 'non_banking' order by xid`;
  const terms = (percentage: unknown) => ({ percentage, fixed: 0, minimum: 0, days: 3 });
  const standard = { percentage: 2.5, fixed: 0, minimum: 0, days: 4 };
  const day = { channel: 'non_banking', from: dayAfter(1).toString() };
  const found = events.map(({ data }) => data.percentage);
  // In any order, no percentage follows itself.
  expect(['5,6,7', '6,5,7', '5,6,5,7']).toContain(found.join());
  // Each event contains the terms that it replaced.
  expect(events).toEqual(
    found.map((percentage, no) => ({
      type: 'fees.set',
      data: {
        ...day,
        ...terms(percentage),
        before: no === 0 ? standard : terms(found[no - 1]),
      },
    })),
  );
});
