import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cvuFor } from '../../connectors/bank/emulator/debins.ts';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { recaudo } from '../cli/run.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { approvedAs, manifestOf, type Played, playConnector } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

let bank: Played;
let service: TestService;
let player: Player;
let CONNECTORS: string;
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN', 'wire_transfer']);
  CONNECTORS = JSON.stringify([bank.configured()]);
  service = await startService({ ...withoutWorker, ROLES: 'payments,qr,web', CONNECTORS });
  player = playerOf(service);
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});

const noticesPath = '/connectors/bank/notices';

async function send(notice: object): Promise<number> {
  const body = bodyFor('POST', noticesPath, notice);
  const text = signedText({ method: 'POST', path: noticesPath, body });
  const headers = { ...bank.signed(text) };
  return (await service.call('POST', noticesPath, { body, key: null, headers })).status;
}

const run = (...args: string[]) =>
  recaudo(['connectors', ...args], { DATABASE_URL: service.databaseUrl, CONNECTORS });

const letters = async (...args: string[]) =>
  JSON.parse((await run('letters', '--json', ...args)).stdout);

const eventsOf = async (id: number): Promise<string[]> =>
  (
    await service.sql<{ type: string }[]>`
      select type from operator_events
      where entity = 'connector_letter' and entity_id = ${String(id)} order by id`
  ).map(({ type }) => type);

test('acknowledges a notice of an unknown type, keeps it once with an alarm, then discards it', async () => {
  const alarms = watchAlarms(() => service.sql);
  const number = ['4507', '9900', '0000', '4905'].join('');
  const later = { type: 'mandate.renewed', id: 'r-1', note: `card ${number}` };
  expect([await send(later), await send(later)]).toEqual([200, 200]);
  const [letter, ...others] = await letters();
  expect(others).toEqual([]);
  expect(letter).toMatchObject({ connector: 'bank', state: 'open' });
  expect(letter.fault).toContain('mandate.renewed');
  expect(letter.body).not.toContain(number);
  expect(await alarms.money()).toMatchObject([{ kind: 'dead_letter', connector: 'bank' }]);
  const replayed = await run('replay', String(letter.id));
  expect([replayed.code, replayed.stderr]).toEqual([
    1,
    expect.stringContaining('cannot read the dead letter'),
  ]);
  expect((await run('discard', String(letter.id), '--reason', 'not ours')).code).toBe(0);
  expect(await letters()).toEqual([]);
  expect((await run('replay', String(letter.id))).code).toBe(1);
  expect(await eventsOf(letter.id)).toEqual([
    'connector_letter.kept',
    'connector_letter.discarded',
  ]);
});

test('replays a dead letter that this release can read, and counts its money once', async () => {
  const wrong = {
    type: 'transfer.received',
    id: 'late',
    cvu: cvuFor('77'),
    amount: '100',
    paid_at: new Date().toISOString(),
  };
  expect(await send(wrong)).toBe(200);
  const [letter] = await letters();
  expect(letter.fault).toContain('/amount');
  // Simulates a later release that can read the notice.
  await service.sql`
    update connector_letters set body = replace(body, '"100"', '100') where id = ${letter.id}`;
  expect((await run('replay', String(letter.id))).code).toBe(0);
  expect((await run('replay', String(letter.id))).code).toBe(1);
  const rows = await service.sql`select amount from suspense where source_ref = 'transfer late'`;
  expect(rows).toEqual([{ amount: 100 }]);
  expect(await letters()).toEqual([]);
  expect(await letters('--all')).toMatchObject([{ state: 'discarded' }, { state: 'replayed' }]);
  expect(await eventsOf(letter.id)).toEqual(['connector_letter.kept', 'connector_letter.replayed']);
});

test('lets the operator replay and discard dead letters in the portal', async () => {
  const operator = await signIn(service, 'operator');
  const transfer = { type: 'transfer.received', cvu: cvuFor('78'), amount: '200' };
  expect(await send({ ...transfer, id: 'desk-1', paid_at: new Date().toISOString() })).toBe(200);
  expect(await send({ type: 'mandate.renewed', id: 'desk-2' })).toBe(200);
  const [money, other] = await letters();
  const desk = '/portal/operator/letters';
  const listed = (await operator.get(desk)).text;
  for (const { id } of [money, other]) expect(listed).toContain(`${desk}/${id}`);
  expect((await operator.get(`${desk}/${money.id}`)).text).toContain('/amount');

  const unread = await operator.post(`${desk}/${money.id}/replay`);
  expect([unread.status, unread.text]).toEqual([409, expect.stringContaining('no sabe leer')]);
  await service.sql`
    update connector_letters set body = replace(body, '"200"', '200') where id = ${money.id}`;
  expect((await operator.post(`${desk}/${money.id}/replay`)).location).toBe(`${desk}/${money.id}`);
  const again = await operator.post(`${desk}/${money.id}/replay`);
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('ya se había')]);
  const rows = await service.sql`select amount from suspense where source_ref = 'transfer desk-1'`;
  expect(rows).toEqual([{ amount: 200 }]);

  expect((await operator.post(`${desk}/${other.id}/discard`, { note: ' ' })).status).toBe(400);
  await operator.post(`${desk}/${other.id}/discard`, { note: 'no es nuestro' });
  expect(await letters()).toEqual([]);
  const [discarded] = await service.sql`
    select state, note, decided_by from connector_letters where id = ${other.id}`;
  expect(discarded).toEqual({
    state: 'discarded',
    note: 'no es nuestro',
    decided_by: `user:${operator.userId}`,
  });
  expect((await operator.get(`${desk}/999999`)).status).toBe(404);

  const stranger = await signIn(service, 'owner');
  expect((await stranger.get(desk)).status).toBe(404);
});

test('refuses an unreadable intention, because a wallet waits for the answer', async () => {
  expect(await send({ type: 'qr.intention', trx: 'T1' })).toBe(400);
  expect(await letters()).toEqual([]);
});

test('accepts an approval with an unknown brand and kind', async () => {
  bank.plays.charge = ({ body }) =>
    approvedAs('ref-tolerant', body.amount, { brand: 'unionpay', kind: 'prepaid' });
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  const { state, request_result } = await player.get(id);
  expect([state, request_result[0].channel]).toEqual(['paid', 'DEBIN']);
});

test('ignores unknown channels and notices in a manifest', async () => {
  const own = manifestOf('bank', ['DEBIN', 'wire_transfer']);
  const channels = [...(own.channels as object[]), { channel: 'crypto', chain: 7 }];
  const notices = [...(own.notices as string[]), 'mandate.renewed'];
  const test = { approved: { channel: 'crypto' } };
  bank.plays.manifest = () => ({ json: { ...own, channels, notices, test } });
  const status = await run('status', '--json');
  expect(JSON.parse(status.stdout).map(({ state }: { state: string }) => state)).toEqual([
    'on',
    'on',
  ]);
});

test.each([
  [{ protocol: 1, protocol_until: 3 }, 'on'],
  [{ protocol: 2, protocol_until: 3 }, 'fault'],
  [{ protocol: 2 }, 'fault'],
])(
  'reports the state of a channel whose manifest has protocol versions %j as %s',
  async (versions, state) => {
    const own = manifestOf('bank', ['DEBIN', 'wire_transfer']);
    bank.plays.manifest = () => ({ json: { ...own, ...versions } });
    const [row] = JSON.parse((await run('status', '--json')).stdout);
    expect(row.state).toBe(state);
    if (state === 'fault') expect(row.why).toContain('the service 1');
  },
);
