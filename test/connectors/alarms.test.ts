import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { operatorBooks } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { forgetAlarms } from '../../src/connectors/index.ts';
import { closeMoneyAlarm } from '../../src/money/alarms/index.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { approvedAs, type Played, playConnector } from './played.ts';

let bank: Played;
let service: TestService;
let player: Player;
let operator: Office;
const home = '/portal/operator/alarms';
const alarms = watchAlarms(() => service.sql);

beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN']);
  const { ROLES: _, ...others } = withoutWorker;
  service = await startService({
    ...others,
    ROLES: 'payments,web',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
  operator = await signIn(service, 'operator');
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});
beforeEach(() => alarms.forget());
afterEach(async () => {
  await sealEvents(service);
  const { keys } = service.service.parts.sealer;
  expect(await auditAccount(service.sql, operatorBooks, { keys })).toEqual([]);
});

/** Pays a new request through a connector that reports this amount. */
async function paidOtherwise(amount: number): Promise<number> {
  bank.plays.charge = ({ attempt }) => approvedAs(`ref-${attempt}`, amount);
  const id = await player.create();
  expect((await player.pay(id, { channel: 'DEBIN' })).status).toBe(200);
  return id;
}

async function chargedBack(attempt: string, notice: string, amount: number): Promise<void> {
  const called = { method: 'POST', path: '/connectors/bank/notices' };
  const told = { type: 'charge.charged_back', id: notice, attempt, amount, reference: notice };
  const body = bodyFor(called.method, called.path, told);
  const headers = { ...bank.signed(signedText({ ...called, body })) };
  expect((await service.call('POST', called.path, { body, key: null, headers })).status).toBe(200);
}

test('raises two alarms for two facts of one kind, each with request and amount', async () => {
  const first = await paidOtherwise(5);
  const second = await paidOtherwise(7);
  expect(await alarms.money()).toMatchObject([
    { kind: 'amount', connector: 'bank', request_id: first, amount: 5 },
    { kind: 'amount', connector: 'bank', request_id: second, amount: 7 },
  ]);
});

test('raises one alarm for a repeated fact', async () => {
  await paidOtherwise(143050);
  const attempt = String(bank.calls.findLast(({ method }) => method === 'PUT')?.attempt);
  await chargedBack(attempt, 'cb-1', 200_000);
  await chargedBack(attempt, 'cb-1', 200_000);
  await chargedBack(attempt, 'cb-2', 143050);
  expect((await alarms.money()).map(({ kind, fact }) => [kind, fact])).toEqual([
    ['amount', 'bank chargeback cb-1'],
    ['back_before', 'bank chargeback cb-2'],
  ]);
});

test('keeps alarms about money open when a connector is resumed', async () => {
  await paidOtherwise(5);
  await forgetAlarms(service.sql, 'bank');
  expect(await alarms.money()).toHaveLength(1);
});

test('counts an alarm until a person closes it, once and with a note', async () => {
  await paidOtherwise(6);
  const [alarm] = await alarms.money();
  const id = alarm?.id ?? 0;
  expect((await operator.get('/portal/operator')).text).toMatch(/\d+ alarmas? de dinero/);
  await expect
    .poll(async () => await (await fetch(service.service.metricsUrl)).text())
    .toMatch(/^recaudo_money_alarms_open\{kind="\w+"\} [1-9]/m);
  expect((await operator.get(home)).text).toContain(`${home}/${id}`);
  expect((await operator.post(`${home}/${id}/close`, { note: '' })).status).toBe(400);
  expect((await operator.post(`${home}/${id}/close`, { note: 'acordado' })).status).toBe(303);
  expect(await alarms.money()).toEqual([]);
  const acting = { ...service.service.parts.base, actor: testOperator };
  expect(await closeMoneyAlarm(acting, { id, note: 'otra' })).toBe('known');
  expect((await operator.get(`${home}/${id}`)).text).toContain('acordado');
  expect((await operator.get(home)).text).not.toContain(`${home}/${id}`);
  expect((await operator.get(`${home}?all=1`)).text).toContain(`${home}/${id}`);
});
