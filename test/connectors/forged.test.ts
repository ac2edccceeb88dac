import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { callerOf, itemOf } from '../harness/builders/qrs.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Network, networkOf } from './network.ts';
import { approvedAs, type Played, playConnector } from './played.ts';

/** Covers rows about charges that were inserted or changed by SQL: they move no money. */
let bank: Played;
let service: TestService;
let player: Player;
let network: Network;
let qr: ReturnType<typeof callerOf>;

beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN', 'qr']);
  service = await startService({
    ...withoutWorker,
    ROLES: 'payments,qr',
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  // Sealing first ensures that every later row has a stamp.
  await sealEvents(service);
  player = playerOf(service);
  network = networkOf(service, bank, 'bank');
  qr = callerOf(service);
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});

const alarms = watchAlarms(() => service.sql);
beforeEach(() => alarms.forget());

async function tell(attempt: string): Promise<number> {
  const called = { method: 'POST', path: '/connectors/bank/notices' };
  const body = bodyFor(called.method, called.path, { type: 'charge.changed', attempt });
  const headers = { ...bank.signed(signedText({ ...called, body })) };
  return (await service.call('POST', called.path, { body, key: null, headers })).status;
}

/** Creates a charge that the bank has not decided. Returns its attempt. */
async function waiting(): Promise<{ requestId: number; attempt: string; attemptId: number }> {
  const { charge } = bank.plays;
  bank.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
  const requestId = await player.create();
  await player.pay(requestId, { channel: 'DEBIN' });
  bank.plays.charge = charge;
  const [row] = await service.sql<{ id: number }[]>`
    select id from attempts where account_id = ${testAccount} and request_id = ${requestId}`;
  const attemptId = row?.id ?? 0;
  return { requestId, attempt: `${testAccount}-${attemptId}`, attemptId };
}

const approve = (): void => {
  bank.plays.inquiry = ({ attempt }) => approvedAs(`late-${attempt}`, 143050);
};
const payments = async (id: number): Promise<number> =>
  (await player.get(id)).request_result.length;

test('pays neither request while a charge is redirected from one to the other', async () => {
  const { requestId, attempt, attemptId } = await waiting();
  const other = await player.create();
  approve();
  await service.sql`update attempts set request_id = ${other} where id = ${attemptId}`;
  expect(await tell(attempt)).toBe(404);
  expect([await payments(other), await alarms.kinds()]).toEqual([0, ['forged_fact']]);
  await service.sql`update attempts set request_id = ${requestId} where id = ${attemptId}`;
  expect(await tell(attempt)).toBe(200);
  expect(await payments(requestId)).toBe(1);
});

test.each(['stamp', 'null'])(
  'does not inquire about a copied attempt with the original’s stamp or none: %s',
  async (stamp) => {
    const { attemptId } = await waiting();
    const other = await player.create();
    const id = await service.service.parts.base.recordIds.next();
    approve();
    await service.sql.unsafe(`
    insert into attempts (account_id, id, request_id, channel, connector, amount, state, details,
      started_at, ask_at, stamp)
    select account_id, ${id}, ${other}, channel, connector, amount, 'started', details,
      now(), ask_at, ${stamp}
    from attempts where id = ${attemptId}`);
    bank.calls.length = 0;
    expect(await tell(`${testAccount}-${id}`)).toBe(404);
    await player.move({ days: 1 });
    expect(bank.calls.filter(({ path }) => path.includes(`-${id}`))).toEqual([]);
    expect([await payments(other), await alarms.kinds()]).toEqual([0, ['forged_fact']]);
  },
);

test('books no payment for a network charge whose forged row names another attempt', async () => {
  const fields = { id: 'mine', other: 'others' };
  await qr.save([itemOf(service, fields.id), itemOf(service, fields.other)]);
  const codes = await Promise.all(Object.values(fields).map((id) => qr.status(id)));
  const [mine, others] = codes.map(({ body }) => body.qr_string as string);
  if (!mine || !others) throw new Error('no codes');
  await network.intend(others, 143_050);
  const trx = network.trx();
  await service.sql`
    insert into network_charges (connector, trx, account_id, attempt_id, stamp)
    select connector, ${trx}, account_id, attempt_id, stamp from network_charges limit 1`;
  expect((await network.confirm(trx, mine, 143_050)).status).toBe(409);
  const states = await Promise.all(Object.values(fields).map((id) => qr.status(id)));
  expect(states.map(({ body }) => body.status)).toEqual(['Pending', 'Pending']);
  expect(await alarms.kinds()).toEqual(['forged_fact']);
});

test('books nothing under an acquirer’s reference that a forged row assigns to another attempt', async () => {
  const { requestId, attempt } = await waiting();
  const { attemptId } = await waiting();
  await service.sql`
    insert into charge_references (connector, reference, account_id, attempt_id)
    values ('bank', ${`late-${attempt}`}, ${testAccount}, ${attemptId})`;
  approve();
  await tell(attempt);
  expect([await payments(requestId), await alarms.kinds()]).toEqual([0, ['reference']]);
});

test.each(['stamp', 'null'])(
  'refunds no payment for a forged unwanted approval with a wrong stamp or none: %s',
  async (stamp) => {
    const { requestId, attempt, attemptId } = await waiting();
    approve();
    await tell(attempt);
    expect(await payments(requestId)).toBe(1);
    const stolen = stamp === 'null' ? null : Buffer.alloc(16, 7);
    await service.sql`
      insert into unwanted_approvals
        (account_id, attempt_id, request_id, why, state, look_at, stamp)
      values (${testAccount}, ${attemptId}, ${requestId}, 'late', 'returning', now(),
        ${stolen}::bytea)`;
    await player.move({ minutes: 30 });
    expect(await payments(requestId)).toBe(1);
    expect(await alarms.kinds()).toEqual(['forged_fact']);
  },
);
