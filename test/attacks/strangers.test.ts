import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { renameAccount } from '../../src/accounts/index.ts';
import { keepDrawn } from '../../src/platform/drawing/cache.ts';
import { createLog } from '../../src/platform/log.ts';
import { create } from '../checkout/payer.ts';
import { testOperator } from '../harness/actors.ts';
import { callerOf, itemOf } from '../harness/builders/qrs.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

interface Heard {
  status: number;
  retryAfter: string | null;
}

/** Sends a call without a key from an address behind the proxy. */
async function ask(service: TestService, path: string, from: string): Promise<Heard> {
  const response = await fetch(service.origin + path, { headers: { 'x-forwarded-for': from } });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

const pathOf = (url: string): string => new URL(url).pathname;

describe('strangers’ calls', () => {
  let service: TestService;
  let nowMs: number;
  beforeAll(async () => {
    service = await startService({
      ROLES: 'payments,qr,web',
      TRUST_PROXY: '1',
      STRANGER_RATE: '3',
      LINK_RATE: '1',
    });
    const { wall } = service.service.parts.clocks;
    nowMs = wall.nowMs();
    vi.spyOn(wall, 'nowMs').mockImplementation(() => nowMs);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await service.stop();
  });

  const many = (count: number, call: (nth: number) => Promise<Heard>) =>
    Promise.all(Array.from({ length: count }, (_one, nth) => call(nth)));
  const allowed = (heard: Heard[]): number => heard.filter(({ status }) => status !== 429).length;

  test('limits strangers’ calls per address, across pages, documents and images', async () => {
    const requests = await Promise.all(Array.from({ length: 20 }, () => create(service)));
    const paths = requests.flatMap(({ path, barcodeUrl, pdfUrl }) => [
      path,
      pathOf(barcodeUrl),
      pathOf(pdfUrl),
    ]);
    const heard = await many(60, (nth) => ask(service, paths[nth] ?? '', '198.51.100.7'));
    expect(allowed(heard)).toBe(30);
    const refused = heard.filter(({ status }) => status === 429);
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['1']));
    expect((await ask(service, paths[0] ?? '', '198.51.100.8')).status).toBe(200);
    nowMs += 1_000;
    const later = await many(10, (nth) => ask(service, paths[nth] ?? '', '198.51.100.7'));
    expect(allowed(later)).toBe(3);
  });

  test('shares one limit across an IPv6 /64', async () => {
    const paths = await Promise.all(
      Array.from({ length: 6 }, async () => (await create(service)).path),
    );
    const path = (nth: number) => paths[nth % paths.length] ?? '';
    const heard = await many(50, (nth) => ask(service, path(nth), `2001:db8:0:7::${nth + 1}`));
    expect(allowed(heard)).toBe(30);
    expect((await ask(service, path(1), '2001:db8:0:7:ffff::1')).status).toBe(429);
    expect((await ask(service, path(1), '2001:db8:0:8::1')).status).toBe(200);
  });

  test('limits calls per link for all callers together, not across links', async () => {
    const [attacked, other] = [await create(service), await create(service)];
    const heard = await many(40, (nth) => ask(service, attacked.path, `203.0.113.${nth + 1}`));
    expect(allowed(heard)).toBe(10);
    expect(heard.some(({ retryAfter }) => retryAfter === '1')).toBe(true);
    expect((await ask(service, other.path, '203.0.113.1')).status).toBe(200);
  });

  test('blocks neither an account’s own calls nor load balancers’ checks', async () => {
    await many(60, () => ask(service, '/checkout/none', '192.0.2.55'));
    expect((await ask(service, '/checkout/none', '192.0.2.55')).status).toBe(429);
    const headers = { 'x-forwarded-for': '192.0.2.55' };
    expect((await service.call('GET', '/account', { headers })).status).toBe(200);
    expect((await ask(service, '/healthz', '192.0.2.55')).status).toBe(200);
  });
});

describe('drawn documents', () => {
  let service: TestService;
  let drawings: string[] = [];
  beforeAll(async () => {
    service = await startService({ ROLES: 'payments,qr,web', STRANGER_RATE: '0', LINK_RATE: '0' });
    const { drawn } = service.service.parts;
    const get = drawn.get.bind(drawn);
    vi.spyOn(drawn, 'get').mockImplementation((kind, model, draw) =>
      get(kind, model, () => {
        drawings.push(kind);
        return draw();
      }),
    );
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    drawings = [];
  });

  const bytesAt = async (url: string): Promise<Buffer> => {
    const response = await fetch(service.origin + pathOf(url));
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  test('draws a document once for a thousand calls, even concurrent ones', async () => {
    const { pdfUrl } = await create(service);
    const seen = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const files = await Promise.all(Array.from({ length: 100 }, () => bytesAt(pdfUrl)));
      for (const file of files) seen.add(file.toString('base64'));
    }
    expect(drawings).toEqual(['coupon/pdf']);
    expect(seen.size).toBe(1);
  });

  test('redraws a document when its content changes', async () => {
    const { pdfUrl } = await create(service);
    const before = await bytesAt(pdfUrl);
    const acting = { ...service.service.parts.base, actor: testOperator };
    await renameAccount(acting, { accountId: testAccount, name: 'Otro nombre' });
    expect((await bytesAt(pdfUrl)).equals(before)).toBe(false);
    expect(drawings).toEqual(['coupon/pdf', 'coupon/pdf']);

    const qr = callerOf(service);
    const { body } = await qr.save([itemOf(service, 'picture')]);
    const { image_url: url } = (await qr.status(body.data[0].id)).body;
    const picture = await bytesAt(url);
    await bytesAt(url);
    await qr.edit('picture', itemOf(service, 'picture', { first_total: 99.5 }));
    expect((await bytesAt(url)).equals(picture)).toBe(false);
    expect(drawings.slice(2)).toEqual(['qr/png', 'qr/png']);
  });

  test('never confuses the documents of two requests', async () => {
    const [one, other] = [await create(service), await create(service)];
    const files = await Promise.all([bytesAt(one.pdfUrl), bytesAt(other.pdfUrl)]);
    expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(false);
    expect(drawings).toHaveLength(2);
  });

  test('keeps documents within their memory limit, and evicts the least recently used', async () => {
    const drawn = keepDrawn(100);
    const again: string[] = [];
    const draw = (name: string, size = 40) =>
      drawn.get('coupon', name, () => {
        again.push(name);
        return Buffer.alloc(size);
      });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await draw(name);
    // The cache has room for two. c evicted b, because a was used later.
    expect(again).toEqual(['a', 'b', 'c', 'b']);
    await draw('too large', 101);
    await draw('too large', 101);
    expect(again.slice(4)).toEqual(['too large', 'too large']);
    // A drawing without room evicts nothing.
    for (const name of ['a', 'b']) await draw(name);
    expect(again).toHaveLength(6);
  });

  test('redraws a document for the next caller after a failure', async () => {
    const drawn = keepDrawn(100);
    const fails = () => Promise.reject(new Error('no font'));
    await expect(drawn.get('coupon', 1, fails)).rejects.toThrow('no font');
    expect(await drawn.get('coupon', 1, () => 'drawn')).toBe('drawn');
  });
});

/** Opens a connection, sends a text on it, and collects the response. */
async function talk({ origin }: TestService, text: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString();
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return { socket, heard: () => heard };
}

const closed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket, 'close');
};

/** Sends a piece repeatedly until the other side closes the connection. */
function dripOn(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 50);
  socket.once('close', () => clearInterval(timer));
}

describe('connections', () => {
  let service: TestService;
  const lines: string[] = [];
  beforeAll(async () => {
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    service = await startService({ BODY_SECONDS: '1', MAX_CONNECTIONS: '12' }, log);
  });
  afterAll(() => service.stop());

  test('times out connections with slow headers or bodies, and frees their places', async () => {
    const head = 'POST /payment-request HTTP/1.1\r\nHost: x\r\n';
    const silent = await talk(service, '');
    const half = await talk(service, head);
    const slowHead = await talk(service, head);
    dripOn(slowHead.socket, 'X-Name: value\r\n');
    const slowBody = await talk(service, `${head}Content-Length: 900000\r\n\r\n`);
    dripOn(slowBody.socket, ' ');
    const slowChunks = await talk(service, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    dripOn(slowChunks.socket, '1\r\n{\r\n');
    const all = [silent, half, slowHead, slowBody, slowChunks];
    await Promise.all(all.map(({ socket }) => closed(socket)));
    for (const { heard } of [half, slowHead]) expect(heard()).toMatch(/^HTTP\/1\.1 408/);
    // These get a 401 as soon as their headers arrive, and the service does not wait for the rest.
    for (const { heard } of [slowBody, slowChunks]) expect(heard()).toMatch(/^HTTP\/1\.1 4\d\d/);
    for (const line of lines) expect(line.length).toBeLessThan(500);
    expect(lines.join('')).not.toContain('"stack"');
    expect((await service.call('GET', '/account')).status).toBe(200);
  });

  test('limits connections in total, and makes room when they close', async () => {
    const { hostname, port } = new URL(service.origin);
    const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname));
    for (const socket of sockets) {
      socket.on('error', () => {});
      // Calls in progress are not subject to the idle timeout.
      socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'));
    }
    const open = () => sockets.filter((socket) => !socket.closed);
    await vi.waitFor(() => expect(open().length).toBeLessThanOrEqual(12));
    expect(open().length).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await service.call('GET', '/account')).status).toBe(200));
  });
});
