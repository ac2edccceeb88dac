import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventOffer } from '../../src/portal/webhooks/events.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Fields, type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openAccount, register, registration } from '../webhooks/account.ts';
import { lookAtPage, openPage } from './look.ts';

const home = `/portal/${testAccount}/webhooks`;
const url = 'http://127.0.0.1:9/hook';
let service: TestService;
let browser: Browser;
let first: Office;
let second: Office;
let page: string;
let id: number;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', STRANGER_RATE: '0' });
  browser = await launchBrowser();
  first = await signIn(service, 'owner');
  second = await signIn(service, 'administrator');
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});
beforeEach(async () => {
  await service.sql`update webhooks set deleted_at = now() where account_id = ${testAccount}`;
  const { body } = await service.call('POST', '/webhook', { body: registration(url) });
  id = body.id;
  page = `${home}/${id}`;
});

const seenAt = async (office = first): Promise<string> =>
  /name="seen" value="([^"]+)"/.exec((await office.get(`${page}/edit`)).text)?.[1] ?? '';
const save = async (office: Office, fields: Fields) => await office.post(`${page}/edit`, fields);
const stored = async () => {
  const [row] = await service.sql<{ url: string; event_types: number[]; holds: number }[]>`
    select url, event_types, holds from webhooks where id = ${id}`;
  return row;
};
const mine = { url: `${url}/mine`, event_types: ['payment_request.paid', 'qr.paid'] };
const theirs = { url: `${url}/theirs`, event_types: ['*'] };

test('saves an address and events, and records who edited them', async () => {
  const saved = await save(first, { ...mine, seen: await seenAt() });
  expect([saved.status, saved.location]).toEqual([303, page]);
  expect(await stored()).toEqual({ url: mine.url, event_types: [1, 11], holds: 1 });
  const [event] = await service.sql<{ actor: string; data: object }[]>`
    select actor, data from events
    where entity = 'webhook' and entity_id = ${String(id)} and type = 'webhook.edited'`;
  expect(event).toEqual({
    actor: `user:${first.userId}`,
    data: { ...mine, before: { url, event_types: ['payment_request.paid'] } },
  });
  const { text } = await first.get(`/portal/${testAccount}/settings/activity?entity=webhook`);
  expect(text).toContain('Se editó un webhook');
});

test('revokes the former secret at once, even from a form that a colleague’s rotation outdated', async () => {
  const { text } = await first.get(`${page}/rotate`);
  const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
  await second.post(`${page}/rotate`, { revoke_now: 'false' });
  await service.sql`update webhooks set rotated_at = rotated_at - interval '2 minutes'`;
  const now = await first.post(`${page}/rotate`, { revoke_now: 'true', seen });
  expect(now.status).toBe(200);
  expect(now.text).not.toContain('firma también');
});

test('shows no secret to an outdated form of a rotation, but the form again', async () => {
  const rotate = (seen: string) => first.post(`${page}/rotate`, { revoke_now: 'true', seen });
  const { text } = await first.get(`${page}/rotate`);
  const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
  const forged = await rotate('secret_no:x');
  expect([forged.status, /whsec_/.test(forged.text)]).toEqual([409, false]);
  await second.post(`${page}/rotate`, { revoke_now: 'false' });
  await service.sql`update webhooks set rotated_at = rotated_at - interval '25 hours'`;
  const late = await rotate(seen);
  expect([late.status, /whsec_/.test(late.text)]).toEqual([409, false]);
  expect(late.text).toContain('N.º 2');
  const fresh = /name="seen" value="([^"]+)"/.exec(late.text)?.[1] ?? '';
  expect((await rotate(fresh)).text).toContain('whsec_');
  const [row] = await service.sql`select secret_no from webhooks where id = ${id}`;
  expect(row).toEqual({ secret_no: 3 });
});

test('saves one of two concurrent edits, and shows it to the other user', async () => {
  const seen = await seenAt();
  const answers = await Promise.all([
    save(first, { ...mine, seen }),
    save(second, { ...theirs, seen }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  await save(first, { ...mine, seen: await seenAt() });
  const late = await save(second, { ...theirs, seen });
  expect(late.status).toBe(409);
  for (const shown of ['Esto cambió mientras lo editabas', mine.url, 'QR: se pagó', theirs.url]) {
    expect(late.text).toContain(shown);
  }
  const fresh = /name="seen" value="([^"]+)"/.exec(late.text)?.[1] ?? '';
  expect((await save(second, { ...theirs, seen: fresh })).status).toBe(303);
  expect((await stored())?.url).toBe(theirs.url);
});

test('accepts a form sent twice at once, and changes the webhook once', async () => {
  const seen = await seenAt();
  const twice = await Promise.all([0, 1].map(() => save(first, { ...mine, seen })));
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  expect((await stored())?.holds).toBe(1);
});

test('reports wrong values at their fields, and refuses other accounts and roles', async () => {
  const wrong: [field: string, fields: Fields][] = [
    ['url', { ...mine, url: 'nowhere' }],
    ['url', { ...mine, url: '' }],
    ['url', { ...mine, url: 'http://nobody.invalid/' }],
    ['event_types', { url, event_types: [] }],
    ['event_types', { url, event_types: ['everything'] }],
  ];
  for (const [field, fields] of wrong) {
    const answer = await save(first, { ...fields, seen: await seenAt() });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining(`href="#${field}"`),
    ]);
  }
  expect((await stored())?.holds).toBe(0);
  const other = await openAccount(service);
  const hook = await register(service, other.key, url);
  expect((await first.get(`${home}/${hook.id}/edit`)).status).toBe(404);
  expect((await first.post(`${home}/${hook.id}/edit`, mine)).status).toBe(404);
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(page)).text).not.toContain('/edit');
  expect((await save(reader, mine)).status).toBe(403);
});

test('edits a webhook to receive all events, with and without scripts', async () => {
  const at = { origin: service.origin, office: first, path: page };
  for (const javaScriptEnabled of [true, false]) {
    const tab = await openPage(browser, at, { javaScriptEnabled });
    await tab.getByRole('link', { name: 'Editar' }).click();
    expect(await tab.getByLabel('Dirección').inputValue()).toBe(url);
    const all = tab.getByLabel('Todos los eventos');
    if (javaScriptEnabled) await all.check();
    else expect(await all.isChecked()).toBe(true);
    await tab.getByRole('button', { name: 'Guardar' }).click();
    await tab.getByText('Todos los eventos').waitFor();
    await tab.context().close();
  }
  expect(await stored()).toMatchObject({ holds: 1 });
  expect((await first.get(home)).text).toContain('Todos');
});

test('has a name in both languages for each event type', () => {
  for (const lang of ['es', 'en'] as const) {
    const unnamed = eventOffer(lang).groups.flatMap(({ choices }) =>
      [...choices].flatMap(({ label, value }) => (label === value ? [value as string] : [])),
    );
    expect(unnamed).toEqual([]);
  }
});

test('renders the form correctly in every width and color scheme', async () => {
  const at = { origin: service.origin, office: first, path: `${page}/edit` };
  await lookAtPage(browser, at, 'webhook-edit');
});
