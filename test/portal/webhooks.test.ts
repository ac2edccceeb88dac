import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openAccount, register } from '../webhooks/account.ts';
import { openReceiver, type Receiver, status } from '../webhooks/receiver.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 60_000 });

const home = `/portal/${testAccount}`;
let service: TestService;
let owner: Office;
let inbox: Receiver;
let browser: Browser;

beforeAll(async () => {
  service = await startService();
  owner = await signIn(service, 'owner');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});
beforeEach(async () => {
  inbox = await openReceiver();
});
afterEach(async () => {
  await inbox.close();
  await service.sql`
    update webhooks set deleted_at = now() where account_id = ${testAccount}`;
});

/** Returns the address to which the webhook form posts. */
async function hookForm(office = owner): Promise<string> {
  const { text } = await office.get(`${home}/webhooks/new`);
  return /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
}

const secretIn = (text: string): string => /<code>(whsec_[^<]+)<\/code>/.exec(text)?.[1] ?? '';
const idIn = (text: string): string => /webhooks\/(\d+)"/.exec(text)?.[1] ?? '';

async function made(
  types = ['payment_request.paid'],
  url = inbox.url,
): Promise<{ id: string; secret: string; page: string }> {
  const { text } = await owner.post(await hookForm(), { url, event_types: types });
  const id = idIn(text);
  return { id, secret: secretIn(text), page: `${home}/webhooks/${id}` };
}

const count = async (url: string): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from webhooks
    where account_id = ${testAccount} and url = ${url} and deleted_at is null`;
  return row?.count ?? -1;
};

async function paid(): Promise<number> {
  const { body } = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service),
  });
  await service.call('POST', `/sandbox/pay/${body.id}`);
  return body.id;
}

/** Waits until the page shows a text. Returns the page. */
const shows = (path: string, wanted: string, office = owner): Promise<string> =>
  vi.waitFor(
    async () => {
      const { text } = await office.get(path);
      expect(text).toContain(wanted);
      return text;
    },
    { timeout: 20_000, interval: 50 },
  );

test('holds events during a manual pause, and delivers them in order after it', async () => {
  const { page } = await made(['payment_request.paid', 'payment_request.reverted']);
  expect((await owner.post(`${page}/pause`)).location).toBe(page);
  expect((await owner.post(`${page}/pause`)).location).toBe(page);
  const shown = await owner.get(page);
  expect(shown.text).toContain('Pausado a mano desde');
  expect(shown.text).toContain('/resume"');
  const { body } = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service),
  });
  await service.call('POST', `/sandbox/pay/${body.id}`, { body: {} });
  await service.call('POST', `/sandbox/chargeback/${body.id}`, { body: {} });
  const waiting = async () => {
    const [row] = await service.sql<{ count: number; due: number }[]>`
      select count(*)::int as count, count(w.due_at)::int as due
      from deliveries d join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
      where w.held_at is not null and d.state = 'pending'`;
    return row;
  };
  await vi.waitFor(async () => expect(await waiting()).toEqual({ count: 2, due: 0 }), {
    timeout: 20_000,
  });
  expect(inbox.received).toHaveLength(0);
  // A test event is sent on request, despite the pause.
  expect((await owner.post(`${page}/test`)).text).toContain('recibió el evento de prueba');
  // Simulates a pause longer than the retry window of events.
  await service.sql`
    update deliveries set next_at = next_at - interval '4 days',
      expires_at = expires_at - interval '4 days' where state = 'pending'`;
  await service.sql`update webhooks set failures = 5 where held_at is not null`;
  await Promise.all([owner.post(`${page}/resume`), owner.post(`${page}/resume`)]);
  const types = () => inbox.received.map((one) => JSON.parse(String(one.body)).event_type);
  await vi.waitFor(
    () =>
      expect(types().filter((type) => type !== 'webhook.test')).toEqual([
        'payment_request.paid',
        'payment_request.reverted',
      ]),
    { timeout: 20_000 },
  );
  const events = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events where entity = 'webhook' and entity_id = ${page.split('/').at(-1) ?? ''}
    order by version`;
  expect(events.map(({ type }) => type)).toEqual([
    'webhook.created',
    'webhook.paused',
    'webhook.resumed',
  ]);
  expect((await owner.get(page)).text).not.toContain('Pausado a mano');
});

test('rotates and removes a paused webhook, and lets no read-only user resume it', async () => {
  const { page, id } = await made();
  await owner.post(`${page}/pause`);
  await owner.post(`${page}/rotate`, { revoke_now: 'false' });
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(page)).text).not.toContain('/resume"');
  expect((await reader.post(`${page}/resume`)).status).toBe(403);
  await lookAtPage(
    browser,
    { origin: service.origin, office: owner, path: page },
    'webhook-paused',
  );
  expect((await owner.post(`${page}/remove`)).status).toBe(303);
  expect((await owner.post(`${page}/resume`)).status).toBe(404);
  const events = await service.sql`
    select version from events where entity = 'webhook' and entity_id = ${id} order by version`;
  expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
});

test('delivers events to a portal webhook, signed with the secret shown once', async () => {
  const { id, secret, page } = await made();
  const request = await paid();
  const text = await shows(page, 'Entregado');
  expect(text).toContain(String(request));
  expect(text).toContain('204 en ');
  const [received] = inbox.received;
  new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {});
  for (const path of [page, `${home}/webhooks`, `${home}/integrations`]) {
    expect((await owner.get(path)).text).not.toContain(secret);
  }
  const [, event = ''] = new RegExp(`webhooks/${id}/events/(\\d+)`).exec(text) ?? [];
  const shown = await owner.get(`${page}/events/${event}`);
  expect(shown.text).toContain('&quot;event_type&quot;: &quot;payment_request.paid&quot;');
  const events = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events
    where account_id = ${testAccount} and entity = 'webhook' and entity_id = ${id} order by id`;
  expect([...events]).toEqual([{ type: 'webhook.created', actor: `user:${owner.userId}` }]);
});

test('creates one webhook for a form sent twice at once, and shows its secret both times', async () => {
  const action = await hookForm();
  const fields = { url: `${inbox.url}/twice`, event_types: ['qr.paid', 'payment_request.paid'] };
  const answers = await Promise.all([owner.post(action, fields), owner.post(action, fields)]);
  expect(answers.map((one) => one.status)).toEqual([200, 200]);
  const [first, second] = answers.map(({ text }) => secretIn(text));
  expect([first !== '', first === second]).toEqual([true, true]);
  expect(await count(fields.url)).toBe(1);
});

test.each([
  ['url', { url: '', event_types: 'qr.paid' }],
  ['url', { url: 'gopher://example.com', event_types: 'qr.paid' }],
  ['url', { url: 'https://user:word@example.com/', event_types: 'qr.paid' }],
  ['url', { url: 'https://nobody.invalid/', event_types: 'qr.paid' }],
  ['url', { url: `https://example.com/${'a'.repeat(2_100)}`, event_types: 'qr.paid' }],
  ['event_types', { url: 'http://127.0.0.1:9/', event_types: [] }],
  ['event_types', { url: 'http://127.0.0.1:9/', event_types: 'everything' }],
] as const)(
  'refuses a webhook with a wrong %s, and explains it in the form',
  async (field, sent) => {
    const answer = await owner.post(await hookForm(), sent);
    expect([answer.status, secretIn(answer.text)]).toEqual([400, '']);
    expect(answer.text).toContain(`href="#${field}"`);
    expect(await count(sent.url)).toBe(0);
  },
);

test('refuses concurrent webhooks beyond the account’s limit', async () => {
  const forms = await Promise.all(Array.from({ length: 24 }, () => hookForm()));
  const answers = await Promise.all(
    forms.map((action) => owner.post(action, { url: inbox.url, event_types: ['qr.paid'] })),
  );
  expect(answers.filter((one) => one.status === 200)).toHaveLength(20);
  expect(answers.filter((one) => one.status === 409)).toHaveLength(4);
  expect(await count(inbox.url)).toBe(20);
});

test('sends a signed test event at once, and shows its answer with the duration', async () => {
  const { id, secret, page } = await made();
  const good = await owner.post(`${page}/test`);
  expect(good.text).toContain('Tu sistema recibió el evento de prueba');
  expect(good.text).toMatch(/204 en \d+ ms/);
  const [received] = inbox.received;
  expect(received?.event.event_type).toBe('webhook.test');
  new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {});
  inbox.answer(status(500));
  const bad = await owner.post(`${page}/test?lang=en`, {}, owner.token(`${page}/test`));
  expect(bad.text).toMatch(/did not accept the test event/);
  await inbox.close();
  expect((await owner.post(`${page}/test`)).text).toContain('Sin respuesta');
  const rows = await service.sql<{ data: Record<string, unknown>; actor: string }[]>`
    select data, actor from events where entity = 'webhook_test' and data->>'webhook_id' = ${id}
    order by id`;
  expect(rows.map(({ data, actor }) => [data.status, actor])).toEqual(
    [204, 500, null].map((code) => [code, `user:${owner.userId}`]),
  );
  const [row] = await service.sql<{ failures: number }[]>`
    select failures from webhooks where id = ${id}`;
  expect(row?.failures).toBe(0);
});

test('does not send a test to a private network in production, even if the name moved there', async () => {
  const { createGuard } = await import('../../src/webhooks/delivery/address.ts');
  const { testWebhook } = await import('../../src/webhooks/subscriptions/test.ts');
  const { id } = await made(['qr.paid'], `http://moved.example:${new URL(inbox.url).port}/`);
  expect(id).toBe('');
  const { parts } = service.service;
  const hook = await made(['qr.paid']);
  await service.sql`
    update webhooks set url = ${inbox.url.replace('http://127.0.0.1', 'https://moved.example')}
    where id = ${hook.id}`;
  const guard = createGuard(true, async () => ['127.0.0.1']);
  const send = testWebhook(parts.base, {
    guard,
    secrets: parts.webhooks.secrets,
    refreshKeys: parts.webhooks.refreshKeys,
    terms: { timeoutMs: 2_000 },
  });
  const ctx = { accountId: testAccount, actor: { kind: 'system' }, requestId: 'x' } as const;
  const tested = await send(ctx, Number(hook.id));
  expect(tested.accepted).toBe(false);
  expect(tested.error).toContain('public address');
  expect(inbox.received).toHaveLength(0);
});

test('lists a failing webhook on the home page, and resends to it', async () => {
  inbox.answer(status(503));
  const { page } = await made();
  await paid();
  await shows(page, '503 en ');
  await service.sql`
    update webhooks set failures = 7, pauses = 2, paused_until = now() + interval '1 hour'
    where account_id = ${testAccount} and deleted_at is null`;
  const first = await owner.get(home);
  expect(first.text).toContain(`href="${page}"`);
  const text = await shows(page, 'En pausa hasta');
  expect(text).toContain('Fallaron los últimos 7 intentos.');
  inbox.answer(status(204));
  await service.sql`
    update deliveries set state = 'failed', next_at = null, expires_at = null, ended_at = now(),
      leased_until = null where account_id = ${testAccount} and state = 'pending'`;
  const [, event = ''] = /events\/(\d+)/.exec(text) ?? [];
  const resent = await owner.post(`${page}/events/${event}/resend`);
  expect(resent.location).toBe(`${page}/events/${event}?resent=1`);
  await shows(`${page}/events/${event}`, 'Entregado');
});

test('does not resend an event that is still being delivered, and explains it', async () => {
  inbox.answer(status(500));
  const { page } = await made();
  await paid();
  const text = await shows(page, '500 en ');
  const [, event = ''] = /events\/(\d+)/.exec(text) ?? [];
  const answer = await owner.post(`${page}/events/${event}/resend`);
  expect(answer.status).toBe(409);
  expect(answer.text).toContain('El evento se está enviando');
});

test('shows one new secret for two concurrent rotations, and another one for an immediate rotation', async () => {
  const { secret, page } = await made();
  const answers = await Promise.all([
    owner.post(`${page}/rotate`, { revoke_now: 'false' }),
    owner.post(`${page}/rotate`, { revoke_now: 'false' }),
  ]);
  const [one, other] = answers.map(({ text }) => secretIn(text));
  expect(one).toBe(other);
  expect(one).not.toBe(secret);
  expect(answers[0]?.text).toContain('El anterior firma también hasta el');
  const now = await owner.post(`${page}/rotate`, { revoke_now: 'true' });
  expect(secretIn(now.text)).not.toBe(one);
  expect(now.text).not.toContain('firma también');
});

test('shows the same secret if the form of an immediate rotation is sent again, for a minute', async () => {
  const { page, id } = await made();
  const { text } = await owner.get(`${page}/rotate`);
  const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
  const [first, again] = [
    await owner.post(`${page}/rotate`, { revoke_now: 'true', seen }),
    await owner.post(`${page}/rotate`, { revoke_now: 'true', seen }),
  ];
  expect(secretIn(first.text)).not.toBe('');
  expect(secretIn(again.text)).toBe(secretIn(first.text));
  await service.sql`update webhooks set rotated_at = rotated_at - interval '2 minutes'`;
  const late = await owner.post(`${page}/rotate`, { revoke_now: 'true', seen });
  expect([late.status, secretIn(late.text)]).toEqual([409, '']);
  const events = await service.sql`
    select 1 from events where entity = 'webhook' and entity_id = ${id}`;
  expect(events).toHaveLength(2);
});

test('removes a webhook, and finds nothing on a second try or from another account', async () => {
  const { page } = await made();
  expect((await owner.post(`${page}/remove`)).location).toBe(`${home}/webhooks`);
  expect((await owner.post(`${page}/remove`)).status).toBe(404);
  const other = await openAccount(service);
  const { id } = await register(service, other.key, inbox.url);
  const theirs = `${home}/webhooks/${id}`;
  for (const path of [theirs, `${theirs}/rotate`, `${theirs}/remove`, `${theirs}/events/1`]) {
    expect([path, (await owner.get(path)).status]).toEqual([path, 404]);
  }
  for (const path of ['test', 'rotate', 'remove', 'events/1/resend']) {
    expect([path, (await owner.post(`${theirs}/${path}`)).status]).toEqual([path, 404]);
  }
  for (const path of ['x', '1e3', '99999999999999999999']) {
    expect((await owner.get(`${home}/webhooks/${path}`)).status).toBe(404);
  }
});

test('shows webhooks to read-only users, without actions', async () => {
  const { page } = await made();
  const reader = await signIn(service, 'read_only');
  for (const path of [`${home}/webhooks`, page]) {
    const { status: code, text } = await reader.get(path);
    expect([code, /webhooks\/new|\/test"|\/rotate|\/remove/.test(text)]).toEqual([200, false]);
  }
  expect((await reader.post(`${page}/remove`)).status).toBe(403);
});

test('continues the list of deliveries after the last one shown', async () => {
  const { page } = await made();
  for (let index = 0; index < 27; index += 1) await paid();
  await vi.waitFor(() => expect(inbox.received).toHaveLength(27), { timeout: 20_000 });
  const rows = (text: string) => [...text.matchAll(/events\/(\d+)"/g)].map(([, id]) => Number(id));
  await expect.poll(async () => rows((await owner.get(page)).text).length).toBe(25);
  const first = await owner.get(page);
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? [];
  const second = await owner.get(next);
  const all = [...rows(first.text), ...rows(second.text)];
  expect(rows(second.text)).toHaveLength(2);
  expect(all).toEqual(all.toSorted((a, b) => b - a));
  expect(new Set(all).size).toBe(27);
});

test('creates and tests a webhook, with scripts and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const at = { origin: service.origin, office: owner, path: `${home}/webhooks` };
    const page = await openPage(browser, at, { javaScriptEnabled });
    await page.getByRole('link', { name: 'Crear un webhook' }).click();
    await page.getByLabel('Dirección').fill(inbox.url);
    await page.getByLabel('payment_request.paid').check();
    await page.getByRole('button', { name: 'Crear el webhook' }).click();
    await page.getByText('whsec_').waitFor();
    await page.getByRole('link', { name: 'Ver el webhook' }).click();
    await page.getByRole('button', { name: 'Enviar un evento de prueba' }).click();
    await page.getByText('Tu sistema recibió el evento de prueba').waitFor();
    await page.context().close();
  }
});

test('renders webhooks correctly in every width and color scheme', async () => {
  const at = (path: string) => ({ origin: service.origin, office: owner, path });
  await lookAtPage(browser, at(`${home}/webhooks`), 'webhooks-none');
  const { id, page } = await made(['payment_request.paid', 'qr.paid']);
  await lookAtPage(browser, at(`${home}/webhooks/new`), 'webhooks-new');
  await lookAtPage(browser, at(page), 'webhook-untold');
  await paid();
  await shows(page, 'Entregado');
  inbox.answer(status(500));
  await paid();
  const text = await shows(page, '500 en ');
  await lookAtPage(browser, at(`${home}/webhooks`), 'webhooks');
  await lookAtPage(browser, at(page), 'webhook');
  const [, event = ''] = new RegExp(`webhooks/${id}/events/(\\d+)`).exec(text) ?? [];
  await lookAtPage(browser, at(`${page}/events/${event}`), 'webhook-delivery');
  await lookAtPage(browser, at(`${page}/rotate`), 'webhook-rotate');
  await lookAtPage(browser, at(`${page}/remove`), 'webhook-remove');
});
