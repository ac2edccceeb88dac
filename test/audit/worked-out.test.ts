import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endFees,
  feeBookAt,
  readFeeBooks,
  readFeeHistory,
  setFees,
} from '../../src/money/fees/index.ts';
import { testOperator } from '../harness/actors.ts';
import { testAccount } from '../harness/service.ts';
import type { Tamperer } from '../harness/tamper.ts';
import { type ChangingAccount, openChangingAccount, terms } from './changing-account.ts';

/**
 * Checks figures that the audit recomputes without seals: it accepts an account whose terms,
 * registers and calendar change while money moves, and names each figure that does not follow from
 * the facts known at the time, even if results and journals were changed together.
 */
let account: ChangingAccount;
let paid: ChangingAccount['paid'];
beforeAll(async () => {
  account = await openChangingAccount();
  paid = account.paid;
}, 120_000);
afterAll(() => account?.stop());

const faultsAfter = (change: Parameters<Tamperer['faultsAfter']>[0]) =>
  account.tamperer.faultsAfter(change, { sealed: false });

const resultOf = (name: string): string =>
  `(select min(id) from results where type = 'collected' and request_id = ${paid[name]})`;

/** Shifts an amount between two ledger accounts in the journal of a collection. */
const shift = (name: string, from: number, to: number, amount: number): string => `
  update journals set amounts[array_position(accounts, ${from}::smallint)]
      = amounts[array_position(accounts, ${from}::smallint)] - ${amount},
    amounts[array_position(accounts, ${to}::smallint)]
      = amounts[array_position(accounts, ${to}::smallint)] + ${amount}
  where kind = 'collection' and result_id = ${resultOf(name)}`;

test.each([
  'by standard terms',
  'by own terms',
  'by the second terms of a day',
  'by standard terms again',
  'withheld from',
])('reports a fee raised in both result and journal, for the payment “%s”', async (name) => {
  const faults = await faultsAfter(`
    ${shift(name, 3, 1, 100)};
    update results set net_fee = net_fee + 100, unreleased = unreleased
    where id = ${resultOf(name)}`);
  const [row] = await account.service.sql.unsafe<{ id: number }[]>(
    `select ${resultOf(name)} as id`,
  );
  expect(faults).toContain(`result ${row?.id} has a fee that differs from the terms of its day`);
});

test('reports a fee by terms that applied later on the same day', async () => {
  // 50 % and 0.33 are the terms that applied an hour later.
  const faults = await faultsAfter(`
    ${shift('by standard terms', 3, 1, 50_033 - 1_500)};
    update results set net_fee = 50033 where id = ${resultOf('by standard terms')}`);
  expect(faults.some((what) => what.includes('a fee that differs from the terms of its day'))).toBe(
    true,
  );
});

test.each([
  ['by own terms', 1],
  ['by standard terms again', -1],
  ['withheld from', 1],
  ['moved', 7],
])('reports for the payment “%s” an availability day changed by %i', async (name, days) => {
  const faults = await faultsAfter(
    `update results set available_on = available_on + ${days},
       released_on = released_on + ${days} where id = ${resultOf(name)}`,
  );
  expect(faults.some((what) => what.includes('which contradicts its terms and the calendar'))).toBe(
    true,
  );
});

test('accepts an availability day that either calendar allows, and reports any other', async () => {
  const set = (days: number) =>
    `update results set available_on = available_on + ${days}, promised_on = null
     where id = ${resultOf('promised')}`;
  const named = async (days: number) =>
    (await faultsAfter(set(days))).some((what) =>
      what.includes('contradicts its terms and the calendar'),
    );
  expect(await named(0)).toBe(false);
  expect(await named(8)).toBe(true);
  expect(await named(-8)).toBe(true);
});

test('reports a withholding that differs from its register, and a deleted one', async () => {
  const id = resultOf('withheld from');
  const named = async (statement: string, expected: string) =>
    expect((await faultsAfter(statement)).some((what) => what.includes(expected))).toBe(true);
  const line = `where result_id = ${id}`;
  await named(
    `update withholdings set rate_ppm = 15001 ${line}`,
    'that is in no register of its day',
  );
  await named(`update withholdings set jurisdiction = 'Jujuy' ${line}`, 'in no register');
  await named(
    `${shift('withheld from', 5, 1, -3_756)};
     update results set withheld = 0 where id = ${id};
     delete from withholdings ${line}`,
    'lacks a withholding from the register of its day',
  );
});

test('reports a withholding from a register that arrived after the payment', async () => {
  const faults = await faultsAfter(`
    insert into withholdings (account_id, result_id, no, request_id, regime, jurisdiction, base,
      rate_ppm, amount, certificate, informed_on)
    select account_id, id, 9, request_id, 'IIBB', 'Salta', amount, 20000,
      round(amount * 0.02), 'x', informed_on
    from results where id = ${resultOf('withheld from')}`);
  expect(faults.some((what) => what.includes('that is in no register of its day'))).toBe(true);
});

test('reports a fee or withholding returned in the wrong proportion', async () => {
  const backs = `results where type = 'refund' and net_fee < 0`;
  for (const column of ['net_fee', 'fee_iva']) {
    const faults = await faultsAfter(
      `update results set ${column} = ${column} - 3 where id = (select min(id) from ${backs})`,
    );
    expect(faults.some((what) => what.includes('returns a fee that is not in proportion'))).toBe(
      true,
    );
  }
  const faults = await faultsAfter(`
    update withholdings set amount = amount - 1 where (result_id, no) = (
      select result_id, no from withholdings where amount < 0 order by result_id limit 1)`);
  expect(faults.some((what) => what.includes('were not returned in proportion'))).toBe(true);
});

test('reports a fee that is returned by a refund after a chargeback', async () => {
  const refund = `(select max(id) from results where type = 'refund' and net_fee < 0)`;
  const faults = await faultsAfter(`
    insert into results
    select (jsonb_populate_record(r, jsonb_build_object('id', -r.id, 'type', 'chargeback',
      'net_fee', 0, 'fee_iva', 0, 'source_ref', r.source_ref || ' before',
      'informed_at', r.informed_at - interval '1 hour'))).*
    from results r where id = ${refund}`);
  const [row] = await account.service.sql.unsafe<{ id: number }[]>(`select ${refund} as id`);
  expect(faults).toContain(
    `result ${row?.id} returns a fee that is not in proportion to its amount`,
  );
});

test('reports a state that differs from the last event of its request', async () => {
  const moves = { pending: ['expired'], expired: ['pending', 'refunded'] };
  for (const [name, states] of Object.entries(moves)) {
    for (const state of states) {
      const faults = await faultsAfter(
        `update requests set state = '${state}' where id = ${paid[name]}`,
      );
      const [row] = await account.service.sql<{ state: string }[]>`
        select state from requests where id = ${paid[name] ?? 0}`;
      expect(faults).toContain(
        `request ${paid[name]} is ${state}, but its last event says ${row?.state}`,
      );
    }
  }
});

test('reports a request that expired before its day was over, even with its event', async () => {
  const faults = await faultsAfter(async (tx) => {
    const expired = tx`id = ${paid.expired ?? 0}`;
    await tx`update requests set last_due = last_due + 60, due1 = due1 + 60 where ${expired}`;
    await tx`update request_states s set last_due = r.last_due from requests r
      where r.account_id = s.account_id and r.id = s.id and s.${expired}`;
  });
  expect(faults).toEqual([`request ${paid.expired} expired before its last due day was over`]);
});

test('reports terms that differ from their events, and missing ones', async () => {
  const what = 'fees of link_pagos differ from their events';
  expect(await faultsAfter('update fees set minimum = minimum + 1')).toContain(what);
  expect(await faultsAfter('delete from fees')).toContain(what);
  expect(
    await faultsAfter(`update events set type = 'fees.set' where type = 'fees.ended'`),
  ).toContain(what);
});

test('reports results swapped between two requests', async () => {
  const [one, other] = [resultOf('withheld from'), resultOf('by own terms')];
  const faults = await faultsAfter(`
    update results r set request_id = o.request_id from results o where o.account_id = r.account_id
      and r.id in (${one}, ${other}) and o.id in (${one}, ${other}) and o.id <> r.id`);
  expect(faults.filter((what) => what.includes('names another request or kind'))).toHaveLength(2);
  // Moving their journals and withholdings as well hides nothing.
  const both = await faultsAfter(`
    create temp table swap on commit drop as
      select r.id, o.request_id from results r join results o on o.account_id = r.account_id
        and r.id in (${one}, ${other}) and o.id in (${one}, ${other}) and o.id <> r.id;
    update results r set request_id = swap.request_id from swap where swap.id = r.id;
    update journals j set request_id = swap.request_id from swap where swap.id = j.result_id;
    update withholdings w set request_id = swap.request_id from swap where swap.id = w.result_id`);
  expect(both.filter((what) => what.includes('names another request or kind'))).toHaveLength(2);
});

/** Changes that also adapt related rows to stay hidden. */
const changes: [what: string, statement: () => string, named: RegExp][] = [
  [
    'unreleased shifted between two payments of one account',
    () => `
      update results set unreleased = unreleased + 100 where id = ${resultOf('last by cash')};
      update results set unreleased = unreleased - 100 where id = ${resultOf('last by card')}`,
    /^result \d+ does not add up: .*unreleased/,
  ],
  [
    'net fee and VAT shifted against each other',
    () => `
      update results set net_fee = net_fee + 10, fee_iva = fee_iva - 10
      where id = ${resultOf('withheld from')}`,
    /^result \d+ does not add up: fee_iva/,
  ],
  [
    'net fee and VAT shifted against each other, in the journal as well',
    () => `
      ${shift('withheld from', 3, 4, 10)};
      update results set net_fee = net_fee + 10, fee_iva = fee_iva - 10
      where id = ${resultOf('withheld from')}`,
    /^result \d+ does not add up: fee_iva/,
  ],
  [
    'released without a journal',
    () => `
      update results set released_on = available_on, unreleased = 0
      where id = ${resultOf('last by card')}`,
    /^result \d+ does not add up: .*unreleased/,
  ],
  [
    'a payment marked as released, with its money unreleased',
    () => `update results set released_on = available_on where id = ${resultOf('last by card')}`,
    /^result \d+ does not add up: released_on/,
  ],
  [
    'a release without its day',
    () => `update results set released_on = null where id = ${resultOf('by own terms')}`,
    /^result \d+ does not add up: released_on/,
  ],
  [
    'available 300 days later',
    () => `
      update results set available_on = available_on + 300 where id = ${resultOf('last by card')}`,
    /which contradicts its terms and the calendar/,
  ],
  [
    'a pending request expired',
    () => stateOf('pending', 'expired'),
    /is expired, but its last event/,
  ],
  [
    'an expired request pending',
    () => stateOf('expired', 'pending'),
    /is pending, but its last event/,
  ],
  [
    'a deleted rejection',
    () => `delete from results where id = ${rejection}`,
    /^an event names result \d+, which does not exist$/,
  ],
  ['an inserted rejection', () => slippedIn, /has no event/],
  [
    'a run with a raised amount',
    () => `update debit_runs set amount = amount + 100 where request_id = ${paid.run}`,
    /^the kind, amount or days of debit run \d+ 1 do not match its debit$/,
  ],
  [
    'a run marked as done',
    () => `update debit_runs set state = 'done' where request_id = ${paid.run}`,
    /^debit run \d+ 1 is done, but has no result$/,
  ],
];

const stateOf = (name: string, state: string): string =>
  `update requests set state = '${state}' where id = ${paid[name]}`;

const rejection = `(select min(id) from results where type = 'rejected')`;
const slippedIn = `
  insert into results select (r2).* from (
    select jsonb_populate_record(r, jsonb_build_object('id', 999999999, 'source_ref', 'slipped')) as r2
    from results r where id = ${rejection}) as copy`;

test.each(changes)('finds without seals: %s', async (_what, statement, named) => {
  const faults = await faultsAfter(statement());
  expect(faults.filter((what) => named.test(what))).not.toEqual([]);
});

test('keeps an account’s fee table and events consistent through every change and end', async () => {
  const { service, player, today } = account;
  const { base, clocks } = service.service.parts;
  const own = { accountId: testAccount, channel: 'qr', actor: testOperator } as const;
  const [set, end] = [setFees(base), endFees(base)];
  // A seeded generator, so that each run makes the same steps.
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let step = 0; step < 60; step += 1) {
    const from = today().add({ days: random(6) });
    if (random(3) > 0) await set({ ...own, from, terms: terms(random(90) * 1_000, random(9)) });
    else await end({ ...own, from }).catch(() => {});
    if (random(4) === 0) await player.move({ hours: 20 });
    const book = (await readFeeBooks(service.sql, [testAccount])).get(testAccount);
    const known = feeBookAt(await readFeeHistory(service.sql, testAccount), clocks.business.now());
    for (let day = 0; day < 14; day += 1) {
      const on = today().add({ days: day });
      expect(known('qr', on)).toEqual(book?.('qr', on));
    }
  }
  await account.addsUp();
}, 60_000);
