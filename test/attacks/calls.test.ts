import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { networkOf } from '../../src/platform/http/callers.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { createLog } from '../../src/platform/log.ts';
import { call, startService, type TestService, testAccount, testKey } from '../harness/service.ts';

const lines: string[] = [];
let service: TestService;

beforeAll(async () => {
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const limits = {
    BODY_SECONDS: '1',
    MAX_CONNECTIONS_PER_ADDRESS: '40',
    UNKNOWN_KEY_RATE: '1',
    CALLS_AT_ONCE: '8',
    TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8',
    DOCS: 'true',
  };
  service = await startService(limits, log);
});
afterAll(() => service.stop());

/** Sends raw text on a connection and collects the response. */
async function talk(text: string): Promise<{ socket: Socket; heard: () => string }> {
  const { hostname, port } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString();
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return { socket, heard: () => heard };
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

const half = (path: string, key = testKey, type = 'application/json'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n{"payment`;

describe('a stalled body', () => {
  test.each(['/payment-request', '/save-qr-data', '/checkout/none', '/nothing/here'])(
    'cuts off a stalled call to %s within seconds, with a 408 unless it already responded',
    async (path) => {
      const form = path.startsWith('/checkout') ? 'application/x-www-form-urlencoded' : undefined;
      const { socket, heard } = await talk(half(path, testKey, form));
      await closed(socket);
      expect(heard()).toMatch(/^HTTP\/1\.1 (408|404)/);
    },
  );

  test('answers 401 to a stalled call with an unknown key before its body ends, and cuts it off', async () => {
    const { socket, heard } = await talk(half('/payment-request', 'nobody-knows-this'));
    await closed(socket);
    expect(heard()).toMatch(/^HTTP\/1\.1 401/);
  });
});

describe('the log', () => {
  const said = (): string => lines.join('');

  test('logs account, key id and address of a call, never the key itself', async () => {
    await service.call('GET', '/account', { headers: { 'x-forwarded-for': '192.0.2.7' } });
    await vi.waitFor(() => {
      const line = lines.map((text) => JSON.parse(text)).find((one) => one.route === '/account');
      expect(line).toMatchObject({ account: testAccount, address: '192.0.2.7', status: 200 });
      expect(line.key).toMatch(/^key:.+:\d+$/);
    });
    expect(said()).not.toContain(testKey);
  });

  test('logs hang-ups in a few short lines, without stacks', async () => {
    const before = lines.length;
    for (let nth = 0; nth < 50; nth += 1) {
      const { socket } = await talk(half('/payment-request'));
      await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0));
      socket.destroy();
      await closed(socket);
    }
    await service.call('GET', '/account');
    const since = lines.slice(before).map((text) => JSON.parse(text));
    expect(since.filter(({ msg }) => msg === 'given up').length).toBeLessThanOrEqual(2);
    expect(since.filter(({ err }) => err !== undefined)).toEqual([]);
    for (const line of lines.slice(before)) expect(line.length).toBeLessThan(500);
  });
});

describe('a caller’s address', () => {
  const addressSeen = async (forwarded: string): Promise<string> => {
    const answer = await service.call('GET', '/account/balances', {
      headers: { 'x-forwarded-for': forwarded },
    });
    const id = answer.headers.get('request-id');
    return await vi.waitFor(() => {
      const line = lines.map((text) => JSON.parse(text)).find(({ requestId }) => requestId === id);
      if (!line) throw new Error('not logged yet');
      return line.address;
    });
  };

  test('uses the rightmost address outside our proxies, whatever the caller prepends', async () => {
    expect(await addressSeen('1.1.1.1, 198.51.100.4, 10.1.2.3')).toBe('198.51.100.4');
    expect(await addressSeen('<script>, 2001:db8::1')).toBe('2001:db8::1');
  });

  test('uses the connection’s address if the header has no valid one', async () => {
    expect(await addressSeen('<script>alert(1)</script>')).toBe('127.0.0.1');
  });

  test('shares limits across an IPv6 /64, and treats an IPv4-mapped address as IPv4', () => {
    expect(networkOf('2001:db8:0:1::5')).toBe(networkOf('2001:db8:0:1:ffff::1'));
    expect(networkOf('2001:db8:0:1::5')).not.toBe(networkOf('2001:db8:0:2::5'));
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });
});

test('refuses 2,000 unknown keys with fewer than 200 database reads, and limits no other callers', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const statuses = new Set<number>();
  const waits = new Set<string | null>();
  const scans = async () => {
    const [row] = await service.sql<{ calls: number }[]>`
      select coalesce(idx_scan, 0)::int as calls from pg_stat_user_indexes
      where indexrelname = 'api_keys_pkey'`;
    return row?.calls ?? 0;
  };
  await service.sql`select pg_stat_force_next_flush()`;
  const before = await scans();
  for (let round = 0; round < 40; round += 1) {
    const calls = Array.from({ length: 50 }, (_one, nth) =>
      service.call('GET', '/account', { key: `guess-${round}-${nth}-0123456789`, headers: from }),
    );
    for (const { status, headers } of await Promise.all(calls)) {
      statuses.add(status);
      if (status === 429) waits.add(headers.get('retry-after'));
    }
  }
  expect([...statuses].sort()).toEqual([401, 429]);
  expect([...waits]).toEqual(['1']);
  expect((await scans()) - before).toBeLessThan(200);
  // Neither known callers from there nor strangers from elsewhere are limited.
  expect((await service.call('GET', '/account', { headers: from })).status).toBe(200);
  const other = { 'x-forwarded-for': '203.0.113.10' };
  expect(
    (await service.call('GET', '/account', { key: 'another-guess', headers: other })).status,
  ).toBe(401);
});

test('tells browsers and proxies not to cache or reinterpret API answers', async () => {
  for (const [path, key] of [
    ['/account', testKey],
    ['/account', 'nobody-knows-this'],
    ['/status/none', testKey],
    ['/nothing', null],
    ['/openapi.json', null],
  ] as const) {
    const { headers } = await service.call('GET', path, { key });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('answers 404 for a path that leaves the API reference’s folder', async () => {
  const { socket, heard } = await talk(
    'GET /docs/static/../ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  await closed(socket);
  expect(heard()).toMatch(/^HTTP\/1\.1 404/);
});

describe('deployment settings', () => {
  let quiet: TestService;
  let origin: string;
  const see = (path: string) => call(origin, 'GET', path, { key: null });
  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    origin = `http://127.0.0.1:${port}`;
    quiet = await startService({
      PORT: String(port),
      DOCS: 'false',
      PUBLIC_URL: 'https://pagos.example.com',
      MAX_CONNECTIONS_PER_ADDRESS: '5',
    });
  });
  afterAll(() => quiet.stop());

  test('hides the API reference with DOCS=false', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/index.html', '/openapi.json']) {
      expect((await see(path)).status).toBe(404);
    }
  });

  test('sends HSTS if the public address is https', async () => {
    const { headers } = await see('/status');
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/);
  });

  test('limits connections per address', async () => {
    const { hostname, port } = new URL(origin);
    const sockets = Array.from({ length: 30 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => {});
    await vi.waitFor(() =>
      expect(sockets.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(25),
    );
    expect(sockets.filter((socket) => !socket.closed).length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
  });
});
