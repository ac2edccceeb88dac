import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operatorBooks } from '../../../src/accounts/index.ts';
import { auditAccount } from '../../../src/audit/index.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { prepareFacts, recordFacts } from '../../../src/money/collections/index.ts';
import { readBalances } from '../../../src/money/ledger/store.ts';
import {
  assignSuspense,
  checkAssigned,
  listSuspense,
  returnSuspense,
  suspend,
  type UnmatchedMoney,
} from '../../../src/money/suspense/index.ts';
import { system } from '../../../src/platform/actor.ts';
import { readRequests } from '../../../src/requests/index.ts';
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
afterEach(async () => {
  expect(await player.faults()).toEqual([]);
  expect(await auditAccount(service.sql, operatorBooks)).toEqual([]);
});

const base = () => service.service.parts.base;
const now = () => service.service.parts.clocks.business.now();
const calendar = () => service.service.parts.calendar();

const money = (sourceRef: string, pesos = 1000): UnmatchedMoney => ({
  reason: 'unknown_request',
  channel: 'non_banking',
  label: 'Rapipago',
  code: '04480000000000000000',
  amount: centavos(pesos * 100),
  paidAt: now().subtract({ hours: 72 }),
  source: 'rapipago',
  sourceRef,
});
const open = async (sourceRef: string): Promise<number> => {
  await suspend(base())([money(sourceRef)]);
  const row = (await listSuspense(service.sql, { all: false, after: 0, limit: 100 })).find(
    (one) => one.source_ref === sourceRef,
  );
  if (!row) throw new Error('not in suspense');
  return row.id;
};
const assign = (id: number, request: number, accountId = testAccount) =>
  assignSuspense(
    base(),
    prepareFacts(base(), calendar),
  )({
    id,
    to: { accountId, id: request },
    note: 'the payer called',
    actor: testOperator,
  });
const giveBack = (id: number) =>
  returnSuspense(base())({ id, note: 'by transfer', actor: testOperator });
const owed = async (): Promise<number> =>
  -((await readBalances(service.sql, operatorBooks)).get(6) ?? 0);

test('books unmatched money once, however often and in whatever order it is reported', async () => {
  const many = ['1:1', '1:2', '1:3'].map((ref) => money(ref));
  const told = await Promise.all([suspend(base())(many), suspend(base())(many.toReversed())]);
  expect(told.flat().toSorted()).toEqual([
    ...Array(3).fill('known'),
    ...Array(3).fill('suspended'),
  ]);
  expect(await suspend(base())([...many, money('1:4')])).toEqual([
    ...Array(3).fill('known'),
    'suspended',
  ]);
  expect(await suspend(base())([])).toEqual([]);
  expect(await owed()).toBe(400_000);
  expect(await listSuspense(service.sql, { all: false, after: 0, limit: 100 })).toHaveLength(4);
  expect(await player.balances()).toEqual([0, 0]);
});

test('books a duplicate within one call once', async () => {
  const before = await owed();
  const outcomes = await suspend(base())([money('2:1'), money('2:1')]);
  expect(outcomes.toSorted()).toEqual(['known', 'suspended']);
  expect((await owed()) - before).toBe(100_000);
});

test('pays the request as of the original day when suspense money is assigned', async () => {
  const request = await player.create({ first_total: 1000 });
  const id = await open('3:1');
  const before = await owed();
  expect(await assign(id, request)).toBe('assigned');
  expect((await owed()) - before).toBe(-100_000);
  const { state, request_result } = await player.get(request);
  expect(state).toBe('paid');
  expect(request_result).toHaveLength(1);
  expect(request_result[0]).toMatchObject({ channel: 'Rapipago', amount: 1000, net_fee: 25 });
  const paid = Temporal.Instant.from(request_result[0].paid_at);
  expect(now().since(paid).total('hours')).toBeGreaterThan(71);
  expect(await assign(id, request)).toBe('known');
  const other = await player.create();
  await expect(assign(id, other)).rejects.toThrow(
    `assigned to request ${request} of account ${testAccount}`,
  );
  await expect(giveBack(id)).rejects.toMatchObject({ status: 409 });
});

test.each([
  ['another amount', 'amount = amount - 100'],
  ['another type', "type = 'rejected'"],
  ['another request', 'request_id = request_id + 1'],
  ['another source', "source_ref = 'elsewhere'"],
])('reports assigned money whose payment has %s', async (_what, change) => {
  const request = await player.create({ first_total: 1000 });
  const id = await open(`audited:${request}`);
  await assign(id, request);
  const undone = new Error('undone');
  const audited = service.sql.begin(async (tx) => {
    await tx.unsafe(`alter table results disable trigger all`);
    await tx.unsafe(`update results set ${change} where request_id = ${request}`);
    expect(await checkAssigned(tx, operatorBooks)).toEqual([
      `suspense:${id} was assigned, but no payment was recorded`,
    ]);
    throw undone;
  });
  await expect(audited).rejects.toBe(undone);
});

test('pays only one of two requests to which two operators assign the same money at once', async () => {
  const requests = [await player.create(), await player.create()];
  const id = await open('4:1');
  const outcomes = await Promise.allSettled(requests.map((request) => assign(id, request)));
  expect(outcomes.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const states = await Promise.all(requests.map(async (one) => (await player.get(one)).state));
  expect(states.toSorted()).toEqual(['paid', 'pending']);
});

test('returns money once, without paying a request', async () => {
  const id = await open('5:1');
  const before = await owed();
  const outcomes = await Promise.all([giveBack(id), giveBack(id)]);
  expect(outcomes.toSorted()).toEqual(['known', 'returned']);
  expect((await owed()) - before).toBe(-100_000);
  const request = await player.create();
  await expect(assign(id, request)).rejects.toThrow(/was returned/);
  expect((await player.get(request)).state).toBe('pending');
});

test('does nothing for an unknown request, account or suspense entry', async () => {
  const id = await open('6:1');
  const before = await owed();
  const request = await player.create();
  await expect(assign(id, 999_999)).rejects.toMatchObject({ status: 404 });
  await expect(assign(id, request, 'FFFFFFFF')).rejects.toMatchObject({ status: 404 });
  await expect(assign(999_999_999, request)).rejects.toMatchObject({ status: 404 });
  await expect(giveBack(999_999_999)).rejects.toMatchObject({ status: 404 });
  expect(await owed()).toBe(before);
});

test('refuses to assign money that the account already recorded from the same source', async () => {
  const request = await player.create();
  const [row] = await readRequests(service.sql, [{ accountId: testAccount, id: request }]);
  if (!row) throw new Error('not created');
  const { channel, label, amount, paidAt, source, sourceRef } = money('7:1');
  await recordFacts(
    base(),
    calendar,
  )([
    {
      request: row,
      type: 'collected',
      channel,
      label,
      amount,
      paidAt,
      source,
      sourceRef,
      actor: system,
      attemptId: null,
      details: {},
    },
  ]);
  const id = await open('7:1');
  await expect(assign(id, request)).rejects.toThrow(/already recorded this payment/);
  expect(
    (await listSuspense(service.sql, { all: false, after: 0, limit: 100 })).some(
      (one) => one.id === id,
    ),
  ).toBe(true);
  expect((await player.get(request)).request_result).toHaveLength(1);
});

test('leaves a linked journal and an event at each step', async () => {
  const id = await open('8:1');
  await giveBack(id);
  const journals = await service.sql`
    select kind, accounts, amounts from journals where cause = ${`suspense:${id}`} order by id`;
  expect(journals).toEqual([
    { kind: 'suspense', accounts: [107, 6], amounts: [100_000, -100_000] },
    { kind: 'suspense_returned', accounts: [6, 201], amounts: [100_000, -100_000] },
  ]);
  const events = await service.sql`
    select version, type from events where entity = 'suspense' and entity_id = ${String(id)}
    order by version`;
  expect(events).toEqual([
    { version: 1, type: 'suspense.opened' },
    { version: 2, type: 'suspense.returned' },
  ]);
});
