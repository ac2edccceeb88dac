import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configuredVault } from '../../src/composition/keys.ts';
import { readConfig } from '../../src/config/index.ts';
import { createTransportKeys } from '../../src/mandates/card/transport-key.ts';
import { type CardMandate, decryptNumber, rewrapCards } from '../../src/mandates/index.ts';
import type { Vault } from '../../src/platform/vault.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { cardAdhesionBody } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

const keyText = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [k1, k2, k3] = [keyText('k1'), keyText('k2'), keyText('k3')];

let service: TestService;
const acting = () => ({ ...service.service.parts.base, actor: testOperator });
beforeAll(async () => {
  service = await startService({ ...withoutWorker, VAULT_KEYS: k1 });
  const bodies = Array.from({ length: 25 }, () => cardAdhesionBody());
  await Promise.all(bodies.map((body) => service.call('POST', '/card-adhesion', { body })));
});
afterAll(() => service.stop());

const vaultOf = (keys: string): Promise<Vault> =>
  configuredVault({ ...readConfig({ VAULT_KEYS: keys }), DATA_DIR: service.config.DATA_DIR });

const cards = async (): Promise<CardMandate[]> =>
  await service.sql<CardMandate[]>`select * from mandates where kind = 'card_adhesion' order by id`;

const keysInUse = async (): Promise<(string | null)[]> => [
  ...new Set((await cards()).map((row) => row.card_key_id)),
];

test('re-encrypts all cards with the first key, which then suffices to decrypt them', async () => {
  const rotated = await vaultOf(`${k2},${k1}`);
  expect(await rewrapCards(acting(), rotated, 7)).toBe(25);
  expect(await keysInUse()).toEqual(['k2']);
  const alone = await vaultOf(k2);
  for (const row of await cards()) expect(decryptNumber(alone, row)).toBe('4507990000004905');
  expect(await rewrapCards(acting(), rotated)).toBe(0);
});

test('resumes after an interruption, and tolerates concurrent runs', async () => {
  const rotated = await vaultOf(`${k1},${k2}`);
  const broken: Vault = {
    ...rotated,
    encrypt: (text, context) => {
      if (context.endsWith(' 12')) throw new Error('interrupted');
      return rotated.encrypt(text, context);
    },
  };
  await expect(rewrapCards(acting(), broken, 5)).rejects.toThrow('interrupted');
  expect((await keysInUse()).sort()).toEqual(['k1', 'k2']);
  await Promise.all([rewrapCards(acting(), rotated, 3), rewrapCards(acting(), rotated, 4)]);
  expect(await keysInUse()).toEqual(['k1']);
  for (const row of await cards()) expect(decryptNumber(rotated, row)).toBe('4507990000004905');
});

test('names a key that still protects cards but is not configured, and loses nothing', async () => {
  const without = await vaultOf(k3);
  await expect(rewrapCards(acting(), without)).rejects.toThrow('no key "k1"');
  expect(await keysInUse()).toEqual(['k1']);
});

test('keeps a number that replaces another during the rewrap', async () => {
  const rotated = await vaultOf(`${k2},${k1}`);
  const [first] = await cards();
  if (!first) throw new Error('no card');
  let replaced: Promise<unknown> = Promise.resolve();
  const racing: Vault = {
    ...rotated,
    decrypt: (encrypted, context) => {
      const text = rotated.decrypt(encrypted, context);
      if (context.endsWith(` ${first.id}`)) {
        const fresh = rotated.encrypt('5299910010000015', context);
        replaced = service.sql`
          update mandates set card_key_id = ${fresh.keyId}, card_ciphertext = ${fresh.ciphertext}
          where kind = 'card_adhesion' and id = ${first.id}`.then();
      }
      return text;
    },
    encrypt: rotated.encrypt,
  };
  await rewrapCards(acting(), racing);
  await replaced;
  const [row] = await cards();
  expect(row && decryptNumber(rotated, row)).toBe('5299910010000015');
});

test('runs as `recaudo vault rewrap`, including the transport key', async () => {
  const { body } = await service.call('GET', '/card-adhesion/public-key');
  const env = { DATABASE_URL: service.databaseUrl, VAULT_KEYS: `${k3},${k2},${k1}` };
  const first = await recaudo(['vault', 'rewrap'], env);
  expect(first).toEqual({
    code: 0,
    // The number of kept keys depends on how many rows the sealer has sealed by now.
    stdout: expect.stringMatching(
      're-encrypted 25 card numbers and 1 transport keys\n' +
        're-encrypted 2 keys of links and webhooks\n' +
        're-encrypted 0 secrets of second factors\n' +
        're-encrypted 0 files waiting for import\n' +
        'kept [23] keys that check older seals\neverything uses the key "k3"\n$',
    ),
    stderr: '',
  });
  const again = await recaudo(['vault', 'rewrap'], { ...env, VAULT_KEYS: k3 });
  expect(again.stdout).toContain('re-encrypted 0 card numbers and 0 transport keys\n');
  const { business } = service.service.parts.clocks;
  const kept = createTransportKeys(service.service.parts.base, await vaultOf(k3), business);
  expect((await kept.publicKey('A1B2C3D4')).publicKey).toBe(body.public_key);
  expect(await keysInUse()).toEqual(['k3']);
}, 60_000);
