import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { configuredSealKeys } from '../../src/composition/keys.ts';
import { type Config, readConfig } from '../../src/config/index.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { recaudo } from '../cli/run.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

vi.setConfig({ testTimeout: 60_000 });

const keyOf = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const [k1, k2, k3, k4] = [keyOf('k1', 1), keyOf('k2', 2), keyOf('k3', 3), keyOf('k4', 4)];

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService({ ...withoutWorker, VAULT_KEYS: k1 });
  player = playerOf(service);
});
afterAll(() => service.stop());

const configOf = (keys: string): Config => readConfig({ VAULT_KEYS: keys, LOG_LEVEL: 'silent' });

/** Pays and seals like a process with these keys. */
async function sealWith(keys: string): Promise<void> {
  await player.pay(await player.create());
  await sealEvents(service, {
    keys: await configuredSealKeys(configOf(keys)),
    moment: wallClock.now,
  });
}

const run = (keys: string, ...args: string[]) =>
  recaudo(args, { DATABASE_URL: service.databaseUrl, VAULT_KEYS: keys });
const auditWith = (keys: string) => run(keys, 'audit', '--account', testAccount);
async function vaultRow(keys: string): Promise<{ state: string; found: string; todo: string }> {
  const { stdout } = await run(keys, 'doctor', '--json');
  return JSON.parse(stdout).find(({ what }: { what: string }) => what === 'vault');
}

test('names a key that was dropped without a rewrap', async () => {
  await sealWith(k1);
  await sealWith(`${k2},${k1}`);
  expect(await auditWith(`${k2},${k1}`)).toMatchObject({ code: 0 });
  expect(await vaultRow(`${k2},${k1}`)).toMatchObject({
    state: 'look',
    todo: expect.stringContaining('vault rewrap'),
  });
  const dropped = await auditWith(k2);
  expect(dropped.code).toBe(1);
  expect(dropped.stdout).toContain('made with the key "k1", which is not in VAULT_KEYS');
  expect((await vaultRow(k2)).state).toBe('broken');
});

test('needs no older key after a rewrap, through two rotations', async () => {
  expect(await run(`${k2},${k1}`, 'vault', 'rewrap')).toMatchObject({ code: 0 });
  expect(await vaultRow(`${k2},${k1}`)).toMatchObject({
    state: 'ok',
    found: expect.stringContaining('needs no other'),
  });
  expect(await auditWith(k2)).toMatchObject({ code: 0 });
  await sealWith(k2);
  await sealWith(`${k3},${k2}`);
  expect((await vaultRow(`${k3},${k2}`)).state).toBe('look');
  expect(await run(`${k3},${k2}`, 'vault', 'rewrap')).toMatchObject({ code: 0 });
  expect(await vaultRow(k3)).toMatchObject({ state: 'ok' });
  expect(await auditWith(k3)).toMatchObject({ code: 0, stdout: '1 accounts add up\n' });
});

test('keeps the moment of a key’s retirement through later rotations, until it seals again', async () => {
  const retiredAt = async (id: string): Promise<Temporal.Instant> => {
    const [row] = await service.sql<{ retired_at: Temporal.Instant }[]>`
      select retired_at from seal_keys where id = ${id}`;
    if (row === undefined) throw new Error(`${id} is not retired`);
    return row.retired_at;
  };
  const rewrap = async (...keys: string[]) =>
    expect(await run(keys.join(','), 'vault', 'rewrap')).toMatchObject({ code: 0 });
  const [first, second] = [await retiredAt('k1'), await retiredAt('k2')];
  await rewrap(k3, k2, k1);
  expect(await retiredAt('k1')).toEqual(first);
  // A process may still have sealed with the last key, so a repetition retires that one again.
  const repeated = await retiredAt('k2');
  expect(Temporal.Instant.compare(repeated, second)).toBe(1);
  await rewrap(k4, k3, k2, k1);
  expect([await retiredAt('k1'), await retiredAt('k2')]).toEqual([first, repeated]);
  // k1 seals again for a while.
  await rewrap(k1, k4, k3, k2);
  await rewrap(k4, k3, k2, k1);
  expect(Temporal.Instant.compare(await retiredAt('k1'), repeated)).toBe(1);
  expect(await retiredAt('k2')).toEqual(repeated);
  // Nothing records a return to k1 without a rewrap, but it is the key before the current one again.
  const before = await retiredAt('k1');
  await rewrap(k4, k1, k3, k2);
  expect(Temporal.Instant.compare(await retiredAt('k1'), before)).toBe(1);
  await rewrap(k3, k4, k2, k1);
  // The stored k3 is still encrypted under k4, which is no longer configured.
  await sealWith(k3);
  expect(await auditWith(k3)).toMatchObject({ code: 0 });
});

test('reports a backdated seal made with a leaked and retired key', async () => {
  const [first] = await service.sql<{ at: Temporal.Instant }[]>`
    select min(sealed_at) as at from seal_links where account_id = ${testAccount}`;
  await player.pay(await player.create());
  await sealEvents(service, {
    keys: await configuredSealKeys(configOf(k1)),
    moment: () => first?.at ?? wallClock.now(),
  });
  const { code, stdout } = await auditWith(k3);
  expect(code).toBe(1);
  expect(stdout).toContain('was made with the key "k1" after it was retired');
});
