import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openAccount } from '../webhooks/account.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 60_000 });

const log = `/portal/${testAccount}/log`;
let service: TestService;
let owner: Office;
let browser: Browser;
const seen: Record<'created' | 'refused' | 'missing', string> = {
  created: '',
  refused: '',
  missing: '',
};

const flush = () => service.service.parts.calls.flush();

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  owner = await signIn(service, 'owner');
  browser = await launchBrowser();
  await lookAtPage(browser, { origin: service.origin, office: owner, path: log }, 'log-none');
  const { call } = service;
  const secret = 'secreto de ana';
  const answers = {
    created: await call('POST', '/payment-request', { body: paymentRequestBody(service) }),
    refused: await call('POST', '/payment-request', { body: { payment_request: { secret } } }),
    missing: await call('GET', '/payment-request/999999?detail_retentions=false'),
  };
  for (const name of ['created', 'refused', 'missing'] as const) {
    seen[name] = answers[name].headers.get('request-id') ?? '';
  }
  const other = await openAccount(service);
  await call('GET', '/payment-request/31337', { key: other.key });
  await flush();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Returns the Request-Ids that a page shows, in order. */
const idsOf = (text: string): string[] =>
  [...text.matchAll(/<span class="code">([0-9a-f-]{36})<\/span>/g)].map(([, id = '']) => id);

test('shows each call of the account, newest first, without request bodies', async () => {
  const { status, text } = await owner.get(log);
  expect(status).toBe(200);
  expect(idsOf(text)).toEqual([seen.missing, seen.refused, seen.created]);
  expect(text).toContain('POST /payment-request');
  expect(text).toContain('?detail_retentions=');
  expect(text).not.toMatch(/secreto|=false|31337|test-key-0123456789/);
});

test.each<[string, () => string, readonly (keyof typeof seen)[]]>([
  ['a class of statuses', () => 'status=4xx', ['missing', 'refused']],
  ['a status at the start of its class', () => 'status=400', ['refused']],
  ['one status', () => 'status=404', ['missing']],
  ['the beginning of a path', () => 'text=/payment-request/999', ['missing']],
  ['a Request-Id', () => `text=${seen.refused.toUpperCase()}`, ['refused']],
  ['a method', () => 'method=POST', ['refused', 'created']],
  ['days', () => 'from=2020-01-01&to=2020-01-02', []],
  ['all at once', () => 'status=4xx&method=POST&text=payment', ['refused']],
  ['a pattern character, taken literally', () => 'text=%25', []],
  ['a NUL, which is ignored', () => 'text=%00', ['missing', 'refused', 'created']],
])('filters calls by %s', async (_what, query, wanted) => {
  const { status, text } = await owner.get(`${log}?${query()}`);
  expect([status, idsOf(text)]).toEqual([200, wanted.map((name) => seen[name])]);
});

test('filters calls by API key, and refuses another account’s key', async () => {
  const { parts } = service.service;
  const [key] = await parts.keys.list(testAccount);
  expect(idsOf((await owner.get(`${log}?key=${key?.id}`)).text)).toHaveLength(3);
  const { key: theirs, id } = await openAccount(service);
  expect(theirs).not.toBe('');
  const [other] = await parts.keys.list(id);
  const answer = await owner.get(`${log}?key=${other?.id}`);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('href="#key"');
});

test.each([
  ['from', 'from=31/12/2026'],
  ['from', 'from=2026-02-30'],
  ['from', 'from=0000-01-01'],
  ['to', 'from=2026-11-22&to=2026-11-21'],
  ['status', 'status=abc'],
  ['status', 'status=999'],
  ['method', 'method=DROP'],
])('reports an invalid %s next to its field', async (field, query) => {
  const { status, text } = await owner.get(`${log}?${query}`);
  expect(status).toBe(400);
  expect(text).toContain(`href="#${field}"`);
  expect(text).toContain(`id="${field}-fault"`);
});

test('shows the first page for a made-up cursor', async () => {
  for (const behind of ['x', '1_2', `999999999999999999_${seen.created}`, `-1_${seen.created}`]) {
    const { status, text } = await owner.get(`${log}?behind=${encodeURIComponent(behind)}`);
    expect([behind, status, idsOf(text).length]).toEqual([behind, 200, 3]);
  }
});

test('pages through calls without gaps or repeats, and keeps the filter', async () => {
  const { id } = await openAccount(service);
  const office = await signIn(service, 'owner', { accountId: id });
  await service.sql`
    insert into api_calls (account_id, at, request_id, method, path, status, ms)
    select ${id}, now() - make_interval(secs => no / 3), gen_random_uuid(), 'GET', '/a', 200, no
    from generate_series(1, 120) as no`;
  await service.sql`
    insert into api_calls_left_out (account_id, at, calls) values (${id}, now(), 1234)`;
  let path: string | null = `/portal/${id}/log?method=GET`;
  const pages: string[][] = [];
  while (path !== null) {
    const { text }: { text: string } = await office.get(path);
    pages.push(idsOf(text));
    expect(text).toContain('llamadas no están en el registro');
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;
    expect(path ?? 'method=GET').toContain('method=GET');
  }
  expect(pages.map((ids) => ids.length)).toEqual([50, 50, 20]);
  expect(new Set(pages.flat()).size).toBe(120);
});

test('hides the log from the collections role', async () => {
  const office = await signIn(service, 'collections');
  expect((await office.get(log)).status).toBe(403);
});

test('lets a person set and remove a filter without scripts', async () => {
  const at = { origin: service.origin, office: owner, path: log };
  const page = await openPage(browser, at, { javaScriptEnabled: false });
  await page.getByLabel('Ruta o Request-Id').fill('999999');
  await page.getByRole('button', { name: 'Filtrar' }).click();
  await page.getByText(seen.missing).waitFor();
  expect(await page.getByText(seen.created).count()).toBe(0);
  await page.getByRole('link', { name: 'Quitar Ruta o Request-Id: 999999' }).click();
  await page.getByText(seen.created).waitFor();
  await page.context().close();
});

test('renders the log correctly in every width and color scheme', async () => {
  const at = (path: string) => ({ origin: service.origin, office: owner, path });
  await lookAtPage(browser, at(log), 'log');
  await lookAtPage(browser, at(`${log}?status=404&text=payment&from=2026-01-01`), 'log-filtered');
});
