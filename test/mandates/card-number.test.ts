import { constants, publicEncrypt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { advance } from '../harness/builders/clock.ts';
import { createCardDebit } from '../harness/builders/debits.ts';
import { cardAdhesionBody } from '../harness/builders/mandates.ts';
import { expectError } from '../harness/errors.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

/** Numbers that appear nowhere else. */
const clear = '4517721004856075';
const naranja = '5895627087232438';

let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  const log = createLog('trace', { write: (line: string) => void logged.push(line) });
  service = await startService({}, log);
});
afterAll(() => service.stop());

const post = (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  service.call('POST', '/card-adhesion', { body: cardAdhesionBody(fields), headers });

async function encrypted(text: string): Promise<string> {
  const { body } = await service.call('GET', '/card-adhesion/public-key');
  expect(body.algorithm).toBe('RSA-OAEP-256');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const options = { key: body.public_key, padding, oaepHash: 'sha256' };
  return publicEncrypt(options, Buffer.from(text)).toString('base64');
}

test('decrypts a number encrypted with the public key, on one line or many', async () => {
  const sealed = await encrypted(naranja);
  for (const card_number of [sealed, sealed.replace(/(.{64})/g, '$1\n')]) {
    const { status, text, body } = await post({ card_number });
    expect(status, text).toBe(201);
    expect(body).toMatchObject({ card: 'Naranja', last_four_digits: '2438' });
  }
});

test('returns one public key per account, even to concurrent callers', async () => {
  const [one, two] = await Promise.all([
    service.call('GET', '/card-adhesion/public-key'),
    service.call('GET', '/card-adhesion/public-key'),
  ]);
  expect(one.body.public_key).toBe(two.body.public_key);
  expect(one.body.public_key).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expectError(await service.call('GET', '/card-adhesion/public-key', { key: null }), 401);
});

test('reports a number encrypted with another key, or an invalid one, at its field', async () => {
  const cases = [
    [Buffer.alloc(256, 1).toString('base64'), 'card_adhesion.number_wrong_key'],
    [Buffer.alloc(40, 1).toString('base64'), 'card_adhesion.number_wrong_key'],
    [await encrypted('4517721004856076'), 'card_adhesion.number_check_digit'],
    [await encrypted('hello'), 'card_adhesion.number_characters'],
  ] as const;
  for (const [card_number, code] of cases) {
    const answer = await post({ card_number });
    expectError(answer, 400);
    expect(answer.body.children.card_number.codes).toEqual([code]);
  }
});

test('accepts valid encrypted numbers despite concurrent invalid ones', async () => {
  const good = await encrypted(clear);
  const bad = Buffer.alloc(256, 1).toString('base64');
  const answers = await Promise.all(
    [good, bad, good, bad, good].map((card_number) => post({ card_number })),
  );
  expect(answers.map((one) => one.status)).toEqual([201, 400, 201, 400, 201]);
});

/** Returns all rows of all tables as texts. */
async function dump(): Promise<string[]> {
  const tables = await service.sql<{ name: string }[]>`
    select format('%I', table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      service.sql.unsafe<{ text: string }[]>(`select t::text as text from ${name} t`),
    ),
  );
  return rows.flat().map(({ text }) => text);
}

test('never writes a number in clear text to logs, errors, events or the database', async () => {
  const headers = { 'Idempotency-Key': 'a card' };
  const created = await post({ card_number: clear }, headers);
  await post({ card_number: `${clear.slice(0, -1)}6` });
  await post({ card_number: await encrypted(clear) });
  await service.call('POST', '/card-adhesion', {
    body: `{"card_adhesion":{"card_number":"${clear}"`,
  });
  await service.call('POST', `/card-adhesion?card=${clear}`, {
    body: cardAdhesionBody({ card_number: clear }),
  });
  await createCardDebit(service, created.body.id);
  await service.call('PUT', `/card-adhesion/${created.body.id}/cancel`);
  const rows = await dump();
  const hex = Buffer.from(clear).toString('hex');
  const base64 = Buffer.from(clear).toString('base64').slice(0, 18);
  expect(rows.length).toBeGreaterThan(20);
  for (const text of [...rows, ...logged]) {
    expect(text).not.toContain(clear);
    expect(text).not.toContain(hex);
    expect(text).not.toContain(base64);
  }
  expect(logged.length).toBeGreaterThan(5);
});

test('stores a keyed digest of a body with a card number, so that nobody can guess the number', async () => {
  const body = JSON.stringify(cardAdhesionBody({ card_number: clear }));
  const headers = { 'Idempotency-Key': 'a digest' };
  const first = await service.call('POST', '/card-adhesion', { body, headers });
  const bytes = await crypto.subtle.digest('SHA-256', Buffer.from(body));
  const [row] = await service.sql<{ fingerprint: Buffer }[]>`
    select fingerprint from idempotency_keys where key = 'a digest'`;
  expect(row?.fingerprint).toHaveLength(32);
  expect(row?.fingerprint.equals(Buffer.from(bytes))).toBe(false);
  const again = await service.call('POST', '/card-adhesion', { body, headers });
  expect(again.text).toBe(first.text);
});

test('replays an answer even after the number’s key expired', async () => {
  const body = cardAdhesionBody({ card_number: await encrypted(clear) });
  const call = (headers: Record<string, string>) =>
    service.call('POST', '/card-adhesion', { body, headers });
  const first = await call({ 'Idempotency-Key': 'a month' });
  await advance(service, { days: 45 });
  expectError(await call({}), 400);
  expectError(await call({ 'Idempotency-Key': 'a new one' }), 400);
  const again = await call({ 'Idempotency-Key': 'a month' });
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = cardAdhesionBody({ card_number: await encrypted(naranja) });
  const headers = { 'Idempotency-Key': 'a month' };
  expectError(await service.call('POST', '/card-adhesion', { body: other, headers }), 422);
});

test('replays an answer even after the vault’s keys changed', async () => {
  const headers = { 'Idempotency-Key': 'before the change' };
  const body = cardAdhesionBody({ card_number: clear });
  const first = await service.call('POST', '/card-adhesion', { body, headers });
  const next = `next:${Buffer.alloc(32, 9).toString('base64')}`;
  const after = await startService({
    ...withoutWorker,
    DATABASE_URL: service.databaseUrl,
    VAULT_KEYS: `${next},${testVaultKeys}`,
  });
  try {
    const again = await after.call('POST', '/card-adhesion', { body, headers });
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = { body: cardAdhesionBody({ card_number: naranja }), headers };
    expectError(await after.call('POST', '/card-adhesion', other), 422);
  } finally {
    await after.stop();
  }
});
