import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventTypes } from '../../src/events/index.ts';
import { expectError } from '../harness/errors.ts';
import { signIn } from '../harness/portal.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openTamperer } from '../harness/tamper.ts';
import { openAccount, register, registration } from './account.ts';

/** Nothing is delivered here. */
const roles = { ROLES: 'payments,web' };
let first: TestService;
let second: TestService;
let account: string;
let key: string;
beforeAll(async () => {
  first = await startService(roles);
  second = await startService({ ...roles, DATABASE_URL: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  ({ id: account, key } = await openAccount(first));
});

const url = 'http://127.0.0.1:9/hook';
const moved = 'http://127.0.0.2:9/moved';
const put = (id: unknown, webhook: unknown, service = first, own = key) =>
  service.call('PUT', `/webhook/${id}`, { key: own, body: { webhook } });
const listed = async () => (await first.call('GET', '/webhook', { key })).body.data;
const events = async () =>
  await first.sql<
    { version: number; type: string; data: { url: string; event_types: string[] } }[]
  >`
    select version, type, data from events
    where account_id = ${account} and entity = 'webhook' order by version`;

test('changes the address and the event types, each alone or together, and keeps the secret', async () => {
  const { secret, ...hook } = await register(first, key, url);
  const one = await put(hook.id, { url: moved });
  expect([one.status, one.body]).toEqual([200, { ...hook, url: moved }]);
  const two = await put(hook.id, { event_types: ['qr.paid', 3, 'qr.paid'] });
  expect(two.body.events.map(({ name }: { name: string }) => name)).toEqual([
    'payment_request.expired',
    'qr.paid',
  ]);
  expect((await put(hook.id, registration(url).webhook)).body).toEqual(hook);
  expect(await listed()).toEqual([hook]);
  const rotated = await first.sql`select secret_no, rotated_at from webhooks where id = ${hook.id}`;
  expect([...rotated]).toEqual([{ secret_no: 1, rotated_at: null }]);
  expect(secret).toMatch(/^whsec_/);
  const before = { url, event_types: ['payment_request.paid'] };
  expect((await events()).slice(0, 2)).toEqual([
    { version: 1, type: 'webhook.created', data: before },
    { version: 2, type: 'webhook.edited', data: { ...before, url: moved, before } },
  ]);
});

test('registers a webhook for all events, including types of later releases', async () => {
  const hook = await register(first, key, url, ['qr.paid', '*']);
  const all = eventTypes.map(({ id, name }) => ({ id, name }));
  expect(hook).toMatchObject({ events: all, all_events: true });
  const [row] = await first.sql<{ event_types: number[] }[]>`
    select event_types from webhooks where id = ${hook.id}`;
  // A process of an earlier release sends the types that it knows.
  expect(row?.event_types).toEqual([0, ...eventTypes.map(({ id }) => id)]);
  expect((await put(hook.id, { event_types: ['*'] })).body.all_events).toBe(true);
  expect(await events()).toHaveLength(1);
  expect((await put(hook.id, { event_types: [1] })).body).toMatchObject({ all_events: false });
  expect((await put(hook.id, { event_types: '*'.split('') })).body.events).toEqual(all);
  expect((await events()).map(({ data }) => data.event_types)).toEqual([
    ['*'],
    ['payment_request.paid'],
    ['*'],
  ]);
});

test('changes nothing for a repeated or an empty edit', async () => {
  const { secret: _, ...hook } = await register(first, key, url);
  const answers = await Promise.all(
    [first, second, first, second].map((service) => put(hook.id, { url: moved }, service)),
  );
  for (const answer of answers) expect(answer.body).toEqual({ ...hook, url: moved });
  expect((await put(hook.id, {})).body).toEqual({ ...hook, url: moved });
  expect(await events()).toHaveLength(2);
});

test('gives concurrent edits one order and one version each', async () => {
  const { id } = await register(first, key, url);
  const urls = Array.from({ length: 6 }, (_, at) => `${url}/${at}`);
  const answers = await Promise.all(
    urls.map((one, at) => put(id, { url: one }, at % 2 === 0 ? first : second)),
  );
  expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200));
  const rows = await events();
  expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const [hook] = await listed();
  expect(rows.at(-1)?.data.url).toBe(hook.url);
});

test('numbers an edit as release 1.0.0 does, so that either release can make the next change', async () => {
  const { id } = await register(first, key, url);
  await put(id, { url: moved });
  const [row] = await first.sql<{ version: number }[]>`
    select secret_no + holds as version from webhooks where id = ${id}`;
  expect(row?.version).toBe(2);
  await first.call('DELETE', `/webhook/${id}`, { key });
  expect((await events()).map(({ version, type }) => [version, type])).toEqual([
    [1, 'webhook.created'],
    [2, 'webhook.edited'],
    [3, 'webhook.removed'],
  ]);
});

test('refuses invalid members, other accounts’ webhooks and unlisted ones', async () => {
  const { id } = await register(first, key, url);
  for (const bad of [
    'nowhere',
    'ftp://example.com/',
    'http://u:p@127.0.0.1/',
    'http://x.invalid/',
    1,
  ]) {
    const answer = await put(id, { url: bad });
    expectError(answer, 400);
    expect(answer.body.children).toMatchObject({ url: { errors: [expect.any(String)] } });
  }
  for (const bad of [[], 'qr.paid', ['everything'], [0], ['*', 'x']]) {
    expectError(await put(id, { event_types: bad }), 400);
  }
  for (const bad of ['x', '0', '-1', '1.5']) expectError(await put(bad, { url }), 400);
  const other = await openAccount(first);
  const reader = await openAccount(first, ['read'], account);
  expectError(await put(id, { url: moved }, first, other.key), 404);
  expectError(await put(id, { url: moved }, first, reader.key), 403);
  const { webhooks, base } = first.service.parts;
  const once = { accountId: account, entity: 'qr_batch', entityId: '7', keyNo: 1, url };
  await webhooks.notifyOnce(base.sql, { ...once, id: await base.recordIds.next() });
  const [hidden] = await first.sql<{ id: number }[]>`
    select id from webhooks where account_id = ${account} and only_entity is not null`;
  expectError(await put(hidden?.id, { url: moved }), 404);
  await first.call('DELETE', `/webhook/${id}`, { key });
  expectError(await put(id, { url: moved }), 404);
  expect((await events()).map(({ type }) => type)).toEqual(['webhook.created', 'webhook.removed']);
});

test('e-mails owners both hosts of a moved webhook, and detects tampering in the audit', async () => {
  const { email } = await signIn(first, 'owner', { accountId: account });
  const { id } = await register(first, key, url);
  await put(id, { url: moved, event_types: ['*'] });
  await put(id, { event_types: [1] });
  const letters = await first.sql<{ subject: string }[]>`
    select subject from mails where recipient = ${email} order by id`;
  expect(letters.slice(-2).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('del webhook 127.0.0.1:9 → 127.0.0.2:9'),
    expect.stringContaining('del webhook 127.0.0.2:9'),
  ]);
  await sealEvents(first);
  const tamperer = openTamperer(first);
  const faults = (set: string) =>
    tamperer.faultsAfter(`update webhooks set ${set} where id = ${id}`, { account });
  const tampered = [expect.stringContaining('webhooks of')];
  expect(await faults('url = url')).toEqual([]);
  expect(await faults("url = 'http://127.0.0.3/'")).toEqual(tampered);
  expect(await faults('event_types = array[0, 1]')).toEqual(tampered);
  expect(await faults('holds = 0')).toEqual(tampered);
  await tamperer.end();
});
