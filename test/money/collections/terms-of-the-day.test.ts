import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadCalendar } from '../../../src/calendar/index.ts';
import { createBase } from '../../../src/composition/base.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { type PaymentFact, recordFacts } from '../../../src/money/collections/index.ts';
import { system } from '../../../src/platform/actor.ts';
import { createLog } from '../../../src/platform/log.ts';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { cellsOf } from '../../../src/platform/postgres/copy-cells.ts';
import { beforeAll as fromTheStart, readPiece } from '../../../src/reports/store.ts';
import { forgetRates, giveTerms, knowRates } from '../../harness/builders/terms.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await player.faults()).toEqual([]);
  await forgetRates(service);
});

let no = 0;
async function factOf(id: number, over: Partial<PaymentFact> = {}): Promise<PaymentFact> {
  const { requests, clocks } = service.service.parts;
  const found = await requests.find({ accountId: testAccount, id });
  if (!found) throw new Error('the request is not there');
  no += 1;
  return {
    request: found.row as unknown as PaymentFact['request'],
    type: 'collected',
    channel: 'link_pagos',
    label: 'Link Pagos',
    amount: centavos(100_000),
    paidAt: clocks.business.now(),
    source: 'test',
    sourceRef: String(no),
    actor: system,
    attemptId: null,
    details: {},
    ...over,
  };
}

const record = () => recordFacts(service.service.parts.base, () => loadCalendar(service.sql));

test('applies the payment day’s fee and withholdings to a late report', async () => {
  const today = service.service.parts.clocks.business.today();
  const own = { channel: 'link_pagos', fixed: 0, minimum: 0 } as const;
  const month = today.subtract({ days: 30 });
  await giveTerms(service, { ...own, from: month, percentagePpm: 10_000, days: 9 });
  await giveTerms(service, { ...own, from: today, percentagePpm: 500_000, days: 0 });
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm)
    select cuit, 'SIRTAC', 'Córdoba', d.valid_from::date, d.valid_to::date, d.ppm from accounts,
      (values ('2020-01-01', ${today.subtract({ days: 1 })}::text, 20000),
        (${today.toString()}::text, null, 70000)) as d (valid_from, valid_to, ppm)
    where id = ${testAccount}`;
  await knowRates(service);
  const paidAt = service.service.parts.clocks.business.now().subtract({ hours: 48 });
  const id = await player.create();
  await record()([await factOf(id, { paidAt }), await factOf(id)]);
  const { request_result, retentions } = await player.get(id, '?detail_retentions=true');
  const fees = request_result.map((one: { net_fee: number }) => one.net_fee);
  expect(fees).toEqual([10, 500]);
  expect(retentions.map((one: { amount: number }) => one.amount)).toEqual([20, 70]);
  const [late, prompt] = request_result;
  expect(late.available_at > prompt.available_at).toBe(true);
});

test('reads the same retentions in pieces of any size, even within one payment', async () => {
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm)
    select cuit, 'SIRTAC', 'J' || n, '2020-01-01', null, 1000 * n from accounts,
      generate_series(1, 5) as n where id = ${testAccount}`;
  await knowRates(service);
  const day = service.service.parts.clocks.business.today();
  const ids = [await player.create(), await player.create()];
  await record()([await factOf(ids[0] ?? 0), await factOf(ids[1] ?? 0)]);
  const scope = { accountId: testAccount, day };
  const read = async (most: number): Promise<string[]> => {
    const rows: string[] = [];
    let after = fromTheStart;
    for (;;) {
      const place = { after, most };
      const piece = await service.sql.begin((tx) =>
        readPiece(tx, 'retentions', scope, place, (row, at) => {
          rows.push(cellsOf(row, at).join('|'));
        }),
      );
      if (piece.count < most) return rows;
      after = piece.last;
    }
  };
  const whole = (await read(1_000)).filter((row) => ids.some((id) => row.includes(`|${id}|`)));
  expect(new Set(whole).size).toBe(10);
  for (const most of [1, 2, 3, 7]) {
    const some = (await read(most)).filter((row) => ids.some((id) => row.includes(`|${id}|`)));
    expect(some).toEqual(whole);
  }
});

test('records no withholding of zero for a refund of one centavo', async () => {
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm)
    select cuit, 'SIRTAC', 'Córdoba', '2020-01-01', null, 25000 from accounts
    where id = ${testAccount}`;
  await knowRates(service);
  const id = await player.create({ first_total: 100 });
  await player.pay(id);
  for (let times = 0; times < 3; times += 1) {
    expect((await player.refund(id, { amount: 0.01 })).status).toBe(200);
  }
  const lines = await service.sql<{ amount: number }[]>`
    select amount from withholdings where request_id = ${id}`;
  expect(lines).toEqual([{ amount: 250 }]);
  // Refunding the rest returns the remaining withholding, to the centavo.
  await player.refund(id);
  const [left] = await service.sql<{ left: string }[]>`
    select sum(amount)::text as left from withholdings where request_id = ${id}`;
  expect(left?.left).toBe('0');
});

describe('facts about the same requests', () => {
  test('locks requests in id order, whatever order their facts arrive in', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 24; count += 1) ids.push(await player.create());
    const [first = 0, ...others] = ids;
    const facts = await Promise.all(ids.toReversed().map((id) => factOf(id)));
    // A plan with a sort or an index scan would hide a missing order.
    const [database] = await service.sql<{ name: string }[]>`select current_database() as name`;
    for (const setting of ['enable_sort', 'enable_hashjoin', 'enable_mergejoin']) {
      await service.sql.unsafe(`alter database ${database?.name} set ${setting} = off`);
    }
    await using stack = new AsyncDisposableStack();
    const sql = connect(service.databaseUrl, { max: 2, applicationName: 'unsorted' });
    stack.defer(() => sql.end({ timeout: 5 }));
    const { base } = await createBase(sql, createLog('silent'));
    let recorded: Promise<unknown> = Promise.resolve();
    const free = await service.sql.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`
        select pg_backend_pid() as pid from requests where id = ${first} for update`;
      recorded = recordFacts(base, () => loadCalendar(service.sql))(facts);
      await vi.waitFor(
        async () => {
          const [row] = await service.sql<{ waiting: number }[]>`
            select count(*)::int as waiting from pg_locks
            where not granted and ${own?.pid ?? 0}::int = any(pg_blocking_pids(pid))`;
          expect(row?.waiting).toBe(1);
        },
        { timeout: 5_000, interval: 20 },
      );
      // The recording waits for the first request, so it must not have locked any later one.
      return await service.sql<{ id: number }[]>`
        select id from requests where id = any(${others}::bigint[]) for update skip locked`;
    });
    expect(free).toHaveLength(others.length);
    await recorded;
  });

  test('records all facts when they arrive in opposite orders at once', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await player.create());
    const rounds = 25;
    const call = record();
    for (let round = 0; round < rounds; round += 1) {
      const [there, back] = await Promise.all([
        Promise.all(ids.map((id) => factOf(id))),
        Promise.all(ids.toReversed().map((id) => factOf(id))),
      ]);
      const outcomes = await Promise.all([call(there), call(back)]);
      expect(outcomes.flat().every(({ outcome }) => outcome === 'recorded')).toBe(true);
    }
    for (const id of ids) {
      expect((await player.get(id)).request_result).toHaveLength(2 * rounds);
    }
  });
});
