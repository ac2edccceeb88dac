import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { freePort } from '../../../src/platform/http/free-port.ts';
import { expectErrorText } from '../../harness/errors.ts';
import { startService, type TestService } from '../../harness/service.ts';
import { rawCall } from './raw.ts';

const panel = 'https://panel.example.com';
let open: TestService;
let shut: TestService;
let production: TestService;
beforeAll(async () => {
  open = await startService({ CORS_ORIGINS: `${panel}, http://localhost:3000` });
  shut = await startService();
  const port = await freePort('127.0.0.1');
  production = await startService({
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pay.example.com',
    BARCODE_CONVENTION: '5150009346',
    PORT: String(port),
  });
  production.origin = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await open.stop();
  await shut.stop();
  await production.stop();
});

const preflight = (service: TestService, origin: string, path = '/payment-request') =>
  rawCall(service.origin, {
    method: 'OPTIONS',
    path,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

const corsOf = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

test.each([panel, 'http://localhost:3000'])(
  'answers a preflight from %s without a key, in both services',
  async (origin) => {
    for (const path of ['/payment-request', '/save-qr-data', '/debit-request/1/cancel']) {
      const { status, headers, text } = await preflight(open, origin, path);
      expect([status, text]).toEqual([204, '']);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-methods')).toContain('POST');
      const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect(allowed).toEqual(['authorization', 'content-type', 'idempotency-key']);
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  },
);

test('lets a page read answers, errors and paging headers', async () => {
  for (const [path, key] of [
    ['/payment-request', open.config.SANDBOX_API_KEY],
    ['/payment-request/99', open.config.SANDBOX_API_KEY],
    ['/payment-request', 'nobody'],
    ['/status/nothing', open.config.SANDBOX_API_KEY],
    ['/no-such-path', null],
  ] as const) {
    const { headers } = await open.call('GET', path, { key, headers: { origin: panel } });
    expect(headers.get('access-control-allow-origin'), path).toBe(panel);
    expect(headers.get('access-control-expose-headers')).toContain('Idempotency-Replayed');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  }
});

test('sends other origins no CORS headers, and names the refused origin in the preflight', async () => {
  for (const [service, origin] of [
    [open, 'https://panel.example.com.evil.example'],
    [open, 'null'],
    [open, 'https://panel.example.com:8443'],
    [shut, panel],
  ] as const) {
    const answer = await preflight(service, origin);
    expect(answer.status).toBe(403);
    expectErrorText(answer.text);
    expect(JSON.parse(answer.text).message).toContain(`origin ${origin} cannot call the API`);
    expect(corsOf(answer.headers)).toEqual([]);
    const { headers } = await service.call('GET', '/payment-request', { headers: { origin } });
    expect(corsOf(headers)).toEqual([]);
  }
  expect(corsOf((await open.call('GET', '/payment-request')).headers)).toEqual([]);
  // Prevents caches from serving one origin's answer to another.
  expect((await open.call('GET', '/payment-request')).headers.get('vary')).toBe('Origin');
});

test('allows loopback pages only in the sandbox, and only if no origins are configured', async () => {
  for (const origin of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000']) {
    const { status, headers } = await preflight(shut, origin);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect((await preflight(open, origin)).status).toBe(403);
  }
  for (const origin of [
    'http://localhost.evil.example',
    'http://127.0.0.1.nip.io',
    'http://10.0.0.1',
  ]) {
    expect((await preflight(shut, origin)).status).toBe(403);
  }
  expect((await preflight(production, 'http://localhost:5173')).status).toBe(403);
});

test('treats OPTIONS without a requested method as an ordinary call', async () => {
  const answer = await open.call('OPTIONS', '/payment-request', { headers: { origin: panel } });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test.each([
  '*',
  'panel.example.com',
  'https://panel.example.com/',
  'https://a.example,ftp://b',
  '',
])('refuses CORS_ORIGINS=%s, or treats it as unset if empty', (text) => {
  const read = () => readConfig({ CORS_ORIGINS: text });
  if (text === '') expect(read().CORS_ORIGINS).toBeNull();
  else expect(read).toThrow(/CORS_ORIGINS must be a list of origins such as https:/);
});
