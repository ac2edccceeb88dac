import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { texts } from '../../src/checkout/views/texts.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import {
  type Created,
  create,
  debinForm,
  isPage,
  open,
  payCard,
  post,
  read,
  titleOf,
  tokenForm,
  without,
} from './payer.ts';

let service: TestService;
let request: Created;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
});
beforeEach(async () => {
  request = await create(service);
});
afterAll(() => service?.stop());

const pay = (fields: Record<string, string>, to = request) => post(service.origin, to.path, fields);

describe('unreadable requests', () => {
  const form = 'application/x-www-form-urlencoded';
  test.each([
    ['a body of another type', 415, 'a=b', { 'content-type': 'text/plain' }],
    ['JSON', 415, '{"channel":{"a":1}}', { 'content-type': 'application/json' }],
    ['a form with files', 415, '--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a huge body', 413, `channel=DEBIN&account=${'a'.repeat(70_000)}`, { 'content-type': form }],
    ['no body', 400, '', { 'content-type': form }],
    ['no channel', 400, 'a=b', { 'content-type': form }],
    ['an unknown channel', 400, 'channel=bitcoin', { 'content-type': form }],
    ['a channel in capitals', 400, 'channel=CREDIT_CARD', { 'content-type': form }],
    ['broken escapes', 400, 'channel=%zz%E0%A4&%%%=&&&', { 'content-type': form }],
  ] as const)(
    'answers %s with %i and a page in the language of the address',
    async (_what, status, body, type) => {
      for (const lang of ['es', 'en'] as const) {
        for (const end of ['', '/simulate']) {
          const path = `${request.path}${end}?lang=${lang}`;
          const answer = await post(service.origin, path, body, type);
          expect(answer.status).toBe(status);
          isPage(answer);
          expect(titleOf(answer.html)).toBe(texts[lang].error.title);
          expect(answer.html).toContain(texts[lang].error.unreadable);
          expect(answer.html).toContain(String(answer.headers.get('request-id')));
          const back = lang === 'es' ? request.path : `${request.path}?lang=en`;
          expect(answer.html).toContain(`class="button" href="${back}"`);
        }
      }
      expect((await read(service, request)).request_result).toEqual([]);
    },
  );

  test('keeps the language in the addresses of forms', async () => {
    const { html } = await open(service.origin, `${request.path}?lang=en`);
    const actions = [...html.matchAll(/ action="([^"]+)"/g)].map((match) => match[1]);
    expect(actions).toHaveLength(8);
    expect(actions.filter((action) => !action?.endsWith('?lang=en'))).toEqual([]);
  });

  test('answers unknown addresses below /checkout with a page, for any method', async () => {
    const wrong = [
      '/checkout',
      '/checkout/',
      '/checkout/x',
      '/checkout/x/y/z/',
      '/checkout/x?lang=x',
    ];
    const deeper = ['/receipt/x', '/other', '/simulate'].map((end) => request.path + end);
    for (const path of [...wrong, ...deeper]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await open(service.origin, path, method);
        expect(answer.status, `${method} ${path}`).toBe(404);
        isPage(answer);
        expect(titleOf(answer.html)).toBe('No encontramos este cobro');
      }
    }
    const english = await open(service.origin, '/checkout/x?lang=en');
    expect(titleOf(english.html)).toBe('We could not find this request');
  });
});

describe('a token', () => {
  test('rejects a token with any character changed', async () => {
    const { token } = request;
    const statuses = await Promise.all(
      Array.from(token, async (char, at) => {
        const other = char === 'B' ? 'C' : 'B';
        const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
        return (await open(service.origin, `/checkout/${changed}`)).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(statuses).toHaveLength(token.length);
  });

  test('accepts a token for one account and one request only', async () => {
    const { links } = service.service.parts;
    const other = await create(service);
    const [, , ours] = /^(\w+)-(\w+)-([\w-]+)$/.exec(request.token) ?? [];
    const [account, id] = other.token.split('-');
    const made = [
      `${account}-${id}-${ours}`,
      links.tokenOf({ accountId: 'FFFFFFFF', id: request.id }),
      links.tokenOf({ accountId: testAccount, id: 999_999_999 }),
      request.token.toLowerCase(),
      `${request.token}A`,
      request.token.slice(0, -1),
      `0${request.token}`,
    ];
    for (const token of made) {
      for (const end of ['', '/receipt', '/rejected']) {
        expect((await open(service.origin, `/checkout/${token}${end}`)).status).toBe(404);
      }
      expect((await post(service.origin, `/checkout/${token}`, tokenForm)).status).toBe(404);
      const simulated = await post(service.origin, `/checkout/${token}/simulate`, {
        channel: 'qr',
      });
      expect(simulated.status).toBe(404);
    }
  });
});

describe('every page’s headers', () => {
  test('forbids caching, framing, foreign scripts and referrers', async () => {
    const failed = await post(service.origin, request.path, 'channel=x');
    for (const answer of [
      await open(service.origin, request.path),
      await open(service.origin, '/checkout/x'),
      failed,
    ]) {
      const { headers } = answer;
      isPage(answer);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]) {
        expect(policy).toContain(rule);
      }
      expect(policy).not.toContain('unsafe');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  test('answers HEAD like GET, without a body', async () => {
    const head = await open(service.origin, request.path, 'HEAD');
    expect([head.status, head.html]).toEqual([200, '']);
    expect(head.headers.get('cache-control')).toBe('no-store');
    expect((await open(service.origin, '/checkout/x', 'HEAD')).status).toBe(404);
  });

  test('caches assets forever under their content’s hash, and answers 404 for other paths', async () => {
    const { html } = await open(service.origin, request.path);
    const assets = [...html.matchAll(/"(\/page-assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(assets.map((path) => path.split('/').at(-1))).toEqual([
      'icon.svg',
      'pages.css',
      'checkout.js',
    ]);
    for (const path of assets) {
      const { status, headers } = await open(service.origin, path);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(
        /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
      );
      expect((await open(service.origin, path, 'HEAD')).status).toBe(200);
      const wrong = await open(service.origin, path.replace(/[0-9a-f]{12}/, '0'.repeat(12)));
      expect([wrong.status, wrong.headers.get('cache-control')]).toEqual([404, 'no-store']);
    }
    for (const name of ['../form.ts', '..%2fform.ts', 'x.css']) {
      const path = `${assets[1]?.slice(0, -'pages.css'.length)}${name}`;
      expect((await open(service.origin, path)).status).toBe(404);
    }
  });

  test('imports modules under their hashes', async () => {
    const { html } = await open(service.origin, request.path);
    const [main = ''] = /\/page-assets\/\w+\/checkout\.js/.exec(html) ?? [];
    const { html: script } = await open(service.origin, main);
    const imports = [...script.matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '');
    expect(imports).toHaveLength(3);
    for (const path of imports) {
      expect(path).toMatch(/^\/page-assets\/\w{12}\/\w+\.js$/);
      expect((await open(service.origin, path)).status).toBe(200);
    }
  });

  test('serves a cacheable icon', async () => {
    const { status, headers } = await open(service.origin, '/favicon.ico');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, max-age=86400',
    ]);
  });

  test('compresses pages and assets for clients that accept it', async () => {
    const { html } = await open(service.origin, request.path);
    const assets = [...html.matchAll(/"(\/page-assets\/[^"]+(?:css|js))"/g)].map(
      (match) => match[1] ?? '',
    );
    for (const path of [request.path, '/', ...assets]) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const answer = await fetch(service.origin + path, {
          headers: { 'accept-encoding': encoding },
        });
        const told = answer.headers.get('content-encoding');
        expect([path, told]).toEqual([path, encoding === 'identity' ? null : encoding]);
        if (told) expect(answer.headers.get('vary')).toContain('accept-encoding');
        expect((await answer.text()).length).toBeGreaterThan(1_000);
      }
    }
  });
});

test('explains the service at the root, in both languages', async () => {
  const answer = await open(service.origin, '/');
  expect(answer.status).toBe(200);
  expect(titleOf(answer.html)).toBe('Recaudo, cobros en línea');
  expect((await open(service.origin, '/?lang=en')).html).toContain('href="/?lang=es"');
});

test('checks a form and returns its faults without charging', async () => {
  const check = `${request.path}/check`;
  expect((await post(service.origin, check, debinForm)).status).toBe(204);
  const faulty = await post(service.origin, check, { ...debinForm, account: '12' });
  expect(faulty.status).toBe(400);
  isPage(faulty);
  expect((await read(service, request)).request_result).toEqual([]);
  expect((await open(service.origin, check)).status).toBe(303);
});

test('names files after the request’s id, never its token', async () => {
  await payCard(service.origin, request.path);
  const unpaid = await create(service);
  const names: (string | undefined)[] = [];
  for (const path of [
    new URL(request.pdfUrl).pathname,
    new URL(request.barcodeUrl).pathname,
    `${request.path}/receipt.pdf`,
    `${unpaid.path}/qr.png`,
  ]) {
    const { status, headers } = await open(service.origin, path);
    expect([path, status]).toEqual([path, 200]);
    names.push(/filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]);
  }
  expect(names).toEqual([
    `cupon-${request.id}.pdf`,
    `codigo-de-barras-${request.id}.svg`,
    `comprobante-${request.id}.pdf`,
    `qr-${unpaid.id}.png`,
  ]);
});

test('redirects outcome pages to the request before any refusal or payment', async () => {
  for (const end of ['/receipt', '/rejected']) {
    const { status, headers } = await open(service.origin, `${request.path}${end}?lang=en`);
    expect([status, headers.get('location')]).toEqual([303, `${request.path}?lang=en`]);
  }
});

test('answers 200 for a page, 400 for a fault, 303 after a payment, and 409 for a paid request', async () => {
  const once = await create(service);
  expect((await open(service.origin, once.path)).status).toBe(200);
  expect((await pay(without('installments'), once)).status).toBe(400);
  expect((await payCard(service.origin, once.path)).status).toBe(303);
  expect((await open(service.origin, `${once.path}/receipt`)).status).toBe(200);
  const again = await pay(tokenForm, once);
  expect([again.status, titleOf(again.html)]).toEqual([409, 'Este cobro ya está pagado']);
  // A faulty form is refused the same way once the request is paid.
  expect((await pay(without('installments'), once)).status).toBe(409);
  expect((await open(service.origin, once.path)).status).toBe(200);
});
