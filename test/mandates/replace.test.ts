import { afterAll, beforeAll, expect, test } from 'vitest';
import { configuredVault } from '../../src/composition/keys.ts';
import { decryptNumber, rewrapCards, rewrapReplacedCards } from '../../src/mandates/index.ts';
import { testOperator } from '../harness/actors.ts';
import {
  adhesionBody,
  card,
  cardAdhesionBody,
  cbu,
  signedAdhesion,
  signedCardAdhesion,
} from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
const acting = () => ({ ...service.service.parts.base, actor: testOperator });
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

type Kind = 'adhesion' | 'card_adhesion';

const replace = (kind: Kind, id: number, number: string) =>
  service.service.parts.mandates.replace({
    key: { accountId: testAccount, kind, id },
    instrument: kind === 'adhesion' ? { type: 'cbu', cbu: number } : { type: 'card', number },
    actor: testOperator,
  });

const eventsOf = (kind: Kind, id: number) =>
  service.sql<{ version: number; type: string }[]>`
    select version, type from events where entity = ${kind} and entity_id = ${String(id)}
    order by version`;

const otherCbu = '2850590940090418135201';
const otherCard = '5299910010000015';

test('replaces a mandate’s bank account once, and changes nothing for an unusable one', async () => {
  const id = await signedAdhesion(service);
  const before = await eventsOf('adhesion', id);
  expect(await replace('adhesion', id, cbu)).toBe('same');
  expect(await replace('adhesion', id, '2850590940090418135202')).toBe('unusable');
  // A wallet's account does not support debits.
  expect(await replace('adhesion', id, '0000003100062244154712')).toBe('unusable');
  expect(await eventsOf('adhesion', id)).toEqual(before);
  expect(
    await Promise.all([replace('adhesion', id, otherCbu), replace('adhesion', id, otherCbu)]),
  ).toEqual(expect.arrayContaining(['replaced', 'same']));
  expect((await eventsOf('adhesion', id)).slice(before.length)).toEqual([
    { version: before.length + 1, type: 'adhesion.instrument_replaced' },
  ]);
  const shown = await service.call('GET', `/adhesion/${id}`);
  expect(shown.body).toMatchObject({ cbu_number: otherCbu, bank: 'Macro', state: 'signed' });
});

test('keeps an ended mandate’s account, and rejects an unknown mandate', async () => {
  const id = await signedAdhesion(service);
  await service.call('PUT', `/adhesion/${id}/cancel`);
  expect(await replace('adhesion', id, otherCbu)).toBe('ended');
  await expect(replace('adhesion', 987_654, otherCbu)).rejects.toThrow(/mandate/);
});

test('encrypts a replacement card, and re-encrypts the former one when the vault’s key changes', async () => {
  const id = await signedCardAdhesion(service);
  expect(await replace('card_adhesion', id, '4507990000004904')).toBe('unusable');
  expect(await replace('card_adhesion', id, card)).toBe('same');
  expect(await replace('card_adhesion', id, otherCard)).toBe('replaced');
  const shown = await service.call('GET', `/card-adhesion/${id}`);
  expect(shown.body).toMatchObject({ card: 'Mastercard', last_four_digits: '0015' });

  const VAULT_KEYS = [{ id: 'next', key: Buffer.alloc(32, 7) }] as [{ id: string; key: Buffer }];
  const before = service.config.VAULT_KEYS ?? [];
  const vault = await configuredVault({
    ...service.config,
    VAULT_KEYS: [...VAULT_KEYS, ...before],
  });
  expect([await rewrapCards(acting(), vault), await rewrapReplacedCards(acting(), vault)]).toEqual([
    1, 1,
  ]);
  expect(await rewrapReplacedCards(acting(), vault)).toBe(0);
  const [old] = await service.sql<
    { account_id: string; id: number; card_key_id: string; card_ciphertext: Buffer }[]
  >`
    select account_id, mandate_id as id, card_key_id, card_ciphertext from mandate_instruments
    where kind = 'card_adhesion' and mandate_id = ${id}`;
  expect([old?.card_key_id, old && decryptNumber(vault, old)]).toEqual(['next', card]);
});

test('returns metadata as sent, whatever the database would do to its numbers', async () => {
  const sent = '{"z":1e200000,"a":12345678901234567890.10}';
  const withMetadata = (body: object) =>
    JSON.stringify(body).replace(/\}\}$/, `,"metadata":${sent}}}`);
  const instruments = [
    ['/adhesion', 'adhesion', adhesionBody(), otherCbu],
    ['/card-adhesion', 'card_adhesion', cardAdhesionBody(), otherCard],
  ] as const;
  for (const [path, kind, body, other] of instruments) {
    const { id } = (await service.call('POST', path, { body: withMetadata(body) })).body;
    expect(await replace(kind, id, other)).toBe('replaced');
    const shown = await service.call('GET', `${path}/${id}`);
    expect(shown.text).toContain(`"metadata":${sent}`);
  }
});
