import { constants, publicEncrypt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { advance } from '../harness/builders/clock.ts';
import { createCardDebit } from '../harness/builders/debits.ts';
import { card, cardAdhesionBody } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openAccount } from '../webhooks/account.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function publicKey(key?: string): Promise<{ public_key: string; expires_at: string }> {
  const options = key === undefined ? {} : { key };
  const { body, status } = await service.call('GET', '/card-adhesion/public-key', options);
  expect(status).toBe(200);
  return body;
}

const encrypted = (pem: string): string =>
  publicEncrypt(
    { key: pem, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(card),
  ).toString('base64');

const enroll = (card_number: string, key?: string) =>
  service.call('POST', '/card-adhesion', {
    body: cardAdhesionBody({ card_number }),
    ...(key !== undefined && { key }),
  });

const stored = async (id: number) => {
  const [row] = await service.sql<{ erased: boolean; sealed: boolean }[]>`
    select card_erased_at is not null as erased, card_ciphertext is not null as sealed
    from mandates where account_id = ${testAccount} and kind = 'card_adhesion' and id = ${id}`;
  return row;
};

const cancel = (id: number) => service.call('PUT', `/card-adhesion/${id}/cancel`);

test('refuses one account’s card ciphertext in another account', async () => {
  const other = await openAccount(service);
  const [own, theirs] = [await publicKey(), await publicKey(other.key)];
  expect(own.public_key).not.toBe(theirs.public_key);
  const stolen = encrypted(own.public_key);
  const refused = await enroll(stolen, other.key);
  expect(refused.status).toBe(400);
  expect(refused.body.children.card_number.errors[0]).toContain('of this account');
  expect((await enroll(stolen)).status).toBe(201);
});

test('returns only id and state from the sandbox to a key without read permission', async () => {
  const { body } = await service.call('POST', '/payment-request', {
    body: {
      payment_request: {
        description: 'Cuota',
        first_due_date: '01-12-2030',
        first_total: 10,
        payer_name: 'Ana',
      },
    },
  });
  const { key } = await openAccount(service, ['write', 'sandbox'], testAccount);
  const path = (what: string) => `/sandbox/${what}/${body.id}`;
  for (const [what, state] of [
    ['pay', 'paid'],
    ['refund', 'refunded'],
  ] as const) {
    const answer = await service.call('POST', path(what), { key, body: {} });
    expect([answer.status, answer.body]).toEqual([200, { id: body.id, state }]);
  }
});

test('erases a canceled card’s number at once if it has no debits', async () => {
  const { body } = await enroll(card);
  expect(await stored(body.id)).toEqual({ erased: false, sealed: true });
  await cancel(body.id);
  await advance(service, { minutes: 0 });
  expect(await stored(body.id)).toEqual({ erased: true, sealed: false });
  const shown = await service.call('GET', `/card-adhesion/${body.id}`);
  expect(shown.body).toMatchObject({ state: 'canceled', last_four_digits: card.slice(-4) });
  const [event] = await service.sql`
    select actor from events where type = 'card_adhesion.number_erased'
      and entity_id = ${String(body.id)}`;
  expect(event).toEqual({ actor: 'system' });
});

test('keeps a canceled card’s number while a paid debit can be reversed, or until the operator erases it', async () => {
  const mandates = [(await enroll(card)).body.id, (await enroll(card)).body.id];
  for (const id of mandates) expect((await createCardDebit(service, id)).status).toBe(201);
  const early = await recaudo(['cards', 'erase', '--account', testAccount, String(mandates[0])], {
    DATABASE_URL: service.databaseUrl,
  });
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('Cancel it before')]);
  const paid = async () => {
    const [row] = await service.sql<{ paid: boolean }[]>`
      select bool_and(state = 'paid') as paid from requests
      where kind = 'card_debit_request' and mandate_id = any(${mandates}::bigint[])`;
    return row?.paid === true;
  };
  for (let step = 0; step < 40 && !(await paid()); step += 1) await advance(service, { days: 3 });
  expect(await paid()).toBe(true);
  for (const id of mandates) await cancel(id);
  const [first = 0, second = 0] = mandates;
  await service.sql`
    update debit_runs set run_on = ${service.service.parts.clocks.business.today()}
    where kind = 'card_debit_request'`;
  await advance(service, { days: 30 });
  expect(await stored(first)).toEqual({ erased: false, sealed: true });
  const now = await recaudo(['cards', 'erase', '--account', testAccount, String(second)], {
    DATABASE_URL: service.databaseUrl,
  });
  expect(now).toMatchObject({ code: 0, stderr: '' });
  expect(await stored(second)).toEqual({ erased: true, sealed: false });
  const moved = await advance(service, { days: 1 });
  expect(moved.body.happened).toContainEqual({ what: 'card numbers erased', count: 1 });
  expect(await stored(first)).toEqual({ erased: true, sealed: false });
}, 60_000);

test('renews a public key monthly, and accepts the previous one for seven more days', async () => {
  const before = await publicKey();
  const sealed = encrypted(before.public_key);
  await advance(service, { days: 20 });
  const same = await publicKey();
  await advance(service, { days: 12 });
  const after = await publicKey();
  expect(after.public_key).not.toBe(before.public_key);
  expect(same.public_key === before.public_key || same.public_key === after.public_key).toBe(true);
  if (same.public_key === before.public_key) expect((await enroll(sealed)).status).toBe(201);
  expect((await enroll(encrypted(after.public_key))).status).toBe(201);
  await advance(service, { days: 8 });
  expect((await enroll(sealed)).status).toBe(400);
}, 60_000);
