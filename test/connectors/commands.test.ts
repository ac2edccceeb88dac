import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Played, playConnector } from './played.ts';

vi.setConfig({ testTimeout: 60_000 });

let bank: Played;
let service: TestService;
let CONNECTORS: string;
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN']);
  CONNECTORS = JSON.stringify([bank.configured()]);
  service = await startService({ ...withoutWorker, CONNECTORS });
});
afterAll(async () => {
  await service.stop();
  await bank.stop();
});

const run = (...args: string[]) =>
  recaudo(['connectors', ...args], { DATABASE_URL: service.databaseUrl, CONNECTORS });

test('prints each channel’s state, and exits 0 only if all are on', async () => {
  const well = await run('status', '--json');
  expect([well.code, JSON.parse(well.stdout)]).toMatchObject([
    0,
    [{ connector: 'bank', channel: 'DEBIN', state: 'on', version: '1.0.0', alarms: 0 }],
  ]);
  const { manifest } = bank.plays;
  bank.plays.manifest = () => ({ text: '<html>' });
  const broken = await run('status', '--json');
  bank.plays.manifest = manifest;
  expect([broken.code, JSON.parse(broken.stdout)[0].state]).toEqual([1, 'fault']);
});

test('shows why a channel is off, and switches it on when the operator resumes it', async () => {
  const player = playerOf(service);
  bank.plays.charge = () => ({ json: { outcome: 'unheard', alarm: 'the key is refused' } });
  await player.pay(await player.create(), { channel: 'DEBIN' });
  await expect.poll(async () => (await run('status')).code, { timeout: 20_000 }).toBe(1);
  const off = JSON.parse((await run('status', '--json')).stdout)[0];
  expect(off).toMatchObject({ state: 'off', why: 'the key is refused', alarms: 1 });
  const [alarm] = JSON.parse((await run('alarms', '--json')).stdout);
  expect(alarm).toMatchObject({ connector: 'bank', channel: 'DEBIN', kind: 'configuration' });
  expect((await run('resume', 'bank')).code).toBe(0);
  expect((await run('status')).code).toBe(0);
});

test('sends an account’s settings with a charge, and refuses a list or an unknown connector', async () => {
  const settings = { site_id: '99', aggregate: { product: null } };
  const player = playerOf(service);
  const set = await run(
    'configure',
    'bank',
    '--account',
    testAccount,
    '--settings',
    JSON.stringify(settings),
  );
  expect(set.code).toBe(0);
  await service.sql`
    update accounts set settings = jsonb_strip_nulls(settings) where id = ${testAccount}`;
  await service.service.parts.connectors.refresh();
  await player.pay(await player.create(), { channel: 'DEBIN' });
  expect(bank.calls.at(-1)?.body.account.settings).toEqual(settings);
  const wrong = await run('configure', 'other', '--account', testAccount, '--settings', '{}');
  expect(wrong.code).not.toBe(0);
  const list = await run('configure', 'bank', '--account', testAccount, '--settings', '[]');
  expect(list.code).toBe(2);
});
