import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { wallClock } from '../../src/platform/clocks.ts';
import { createGuard, Forbidden, isPublicAddress } from '../../src/webhooks/delivery/address.ts';
import { createSender } from '../../src/webhooks/delivery/attempt.ts';
import type { Resolver } from '../../src/webhooks/delivery/resolve.ts';
import { openReceiver } from './receiver.ts';

const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example.com': ['10.1.2.3'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
  'six.example.com': ['fd00::1'],
  'mapped.example.com': ['::ffff:169.254.169.254'],
  'empty.example.com': [],
};
const resolve: Resolver = async (host) => {
  const found = names[host];
  if (!found) throw new Error('ENOTFOUND');
  return found;
};
const production = createGuard(true, resolve);
const sandbox = createGuard(false, resolve);

const notPublic = 'This value must point to a public address, not to a private network.';

describe('in production', () => {
  test.each([
    'https://hooks.example.com/in?x=1',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:443/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('accepts %s in production', async (url) => {
    expect(await production.fault(url)).toBeNull();
  });

  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://203.0.113.7/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::1]/',
    'https://[100::1]/',
    'https://[2001::1]/',
    'https://[2001:db8::1]/',
    'https://[2002:7f00:1::]/',
    'https://[3fff::1]/',
    'https://[5f00::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://inside.example.com/',
    'https://mixed.example.com/',
    'https://six.example.com/',
    'https://mapped.example.com/',
  ])('refuses %s in production, because it is not public', async (url) => {
    expect(String(await production.fault(url))).toBe(notPublic);
  });

  test.each([
    ['not a url', 'This value must be a valid URL.'],
    ['https://', 'This value must be a valid URL.'],
    ['https://256.1.1.1/', 'This value must be a valid URL.'],
    ['https://[fe80::1%25eth0]/', 'This value must be a valid URL.'],
    ['http://hooks.example.com/', 'This value must begin with https://.'],
    ['ftp://hooks.example.com/', 'This value must begin with https://.'],
    ['file:///etc/passwd', 'This value must begin with https://.'],
    [
      'https://user:pass@hooks.example.com/',
      'This value must not contain a user name or password.',
    ],
    ['https://hooks.example.com/#a', 'This value must not contain a fragment (#).'],
    ['https://hooks.example.com:22/', 'This value must use port 443 or one from 1024 to 65535.'],
    [
      'https://nowhere.example.com/',
      'The host nowhere.example.com does not exist, or its DNS does not answer.',
    ],
    [
      'https://empty.example.com/',
      'The host empty.example.com does not exist, or its DNS does not answer.',
    ],
  ])('refuses %s in production with a reason', async (url, reason) => {
    expect(String(await production.fault(url))).toBe(reason);
  });
});

describe('in the sandbox', () => {
  test.each([
    'http://127.0.0.1:3000/hook',
    'http://[::1]:3000/',
    'http://inside.example.com/',
    'https://hooks.example.com/',
  ])('accepts %s in the sandbox', async (url) => {
    expect(await sandbox.fault(url)).toBeNull();
  });

  test('refuses other schemes and unknown host names in the sandbox', async () => {
    expect(String(await sandbox.fault('gopher://127.0.0.1/'))).toMatch(/https:\/\/ or http:\/\//);
    expect(String(await sandbox.fault('http://nowhere.example.com/'))).toMatch(/does not exist/);
  });
});

test('never treats an IPv6 form of an IPv4 address as public', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
      expect(isPublicAddress(`::${address}`)).toBe(false);
    }),
    { seed: 11 },
  );
});

test('treats texts that are not addresses as not public', () => {
  for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', '::g', '127.0.0.1 ']) {
    expect(isPublicAddress(text)).toBe(false);
  }
});

describe('an attempt', () => {
  const headers = { 'content-type': 'application/json' };

  test('does not call a name that moved to a private address after its registration', async () => {
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    let answers = ['93.184.215.14'];
    const guard = createGuard(true, async () => answers);
    expect(await guard.fault(`https://rebinding.example.com:${port}/`)).toBeNull();
    answers = ['127.0.0.1'];
    const sender = createSender(guard, wallClock, 1000);
    const attempt = await sender.post(
      new URL(`https://rebinding.example.com:${port}/`),
      headers,
      '{"a":1}',
    );
    expect(attempt).toMatchObject({ status: null, error: notPublic });
    expect(receiver.received).toEqual([]);
    await sender.close();
    await receiver.close();
  });

  test('resolves the name once per connection, and connects to the checked address', async () => {
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    const lookup = vi.fn<Resolver>(async () => ['127.0.0.1']);
    const sender = createSender(createGuard(false, lookup), wallClock, 1000);
    const url = new URL(`http://no-such-host.invalid:${port}/hook?x=1`);
    expect(await sender.post(url, headers, '{"a":1}')).toMatchObject({ status: 204, error: null });
    expect(receiver.received[0]?.headers.host).toBe(`no-such-host.invalid:${port}`);
    expect(receiver.received[0]?.path).toBe('/hook?x=1');
    expect(lookup).toHaveBeenCalledTimes(1);
    // Connections are reused only for the address they were checked for. A connection rests briefly
    // after an answer, so calls in sequence alternate between two.
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await sender.post(url, headers, '{"a":2}')).toMatchObject({ status: 204 });
    }
    expect(lookup).toHaveBeenCalledTimes(2);
    await sender.close();
    await receiver.close();
  });

  test('checks a literal address like a resolved one', async () => {
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    const sender = createSender(production, wallClock, 1000);
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const url = new URL(`http://${host}:${port}/`);
      expect(await sender.post(url, headers, '{}')).toMatchObject({ error: notPublic });
    }
    expect(receiver.received).toEqual([]);
    await sender.close();
    await receiver.close();
  });

  test('succeeds if one of several addresses answers', async () => {
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    const several = createGuard(false, async () => ['127.0.0.2', '127.0.0.1']);
    const sender = createSender(several, wallClock, 1000);
    const url = new URL(`http://several.example:${port}/`);
    expect(await sender.post(url, headers, '{"a":1}')).toMatchObject({ status: 204 });
    await sender.close();
    await receiver.close();
  });

  test('names the host, not its address, to a TLS server, and fails without its certificate', async () => {
    const asked = Promise.withResolvers<string>();
    const server = createServer({
      SNICallback: (name, done) => {
        asked.resolve(name);
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const sender = createSender(
      createGuard(false, async () => ['127.0.0.1']),
      wallClock,
      1000,
    );
    const attempt = await sender.post(new URL(`https://shop.example:${port}/`), headers, '{}');
    expect(attempt.status).toBeNull();
    expect(await asked.promise).toBe('shop.example');
    await sender.close();
    server.close();
  });

  test('times out a look-up that never ends', async () => {
    const hanging = createSender(
      createGuard(false, () => new Promise(() => {})),
      wallClock,
      100,
    );
    const attempt = await hanging.post(new URL('http://slow.example/'), headers, '{}');
    expect(attempt).toMatchObject({ status: null, error: 'no whole answer within 100 ms' });
    await hanging.close();
  });

  test('sends nothing on a connection after the timeout', async () => {
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    const found = Promise.withResolvers<string[]>();
    const sender = createSender(
      createGuard(false, () => found.promise),
      wallClock,
      50,
    );
    const url = new URL(`http://late.example:${port}/`);
    expect(await sender.post(url, headers, '{"a":1}')).toMatchObject({ status: null });
    found.resolve(['127.0.0.1']);
    const second = await createSender(sandbox, wallClock, 1000).post(
      new URL(receiver.url),
      headers,
      '{"a":2}',
    );
    expect(second.status).toBe(204);
    expect(receiver.received.map((one) => one.body)).toEqual(['{"a":2}']);
    await sender.close();
    await receiver.close();
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
    ['a connection that closes', ''],
    ['half of an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
  ])('fails with an error, not a status, after %s', async (_name, answer) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end(answer);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const sender = createSender(sandbox, wallClock, 1000);
    const attempt = await sender.post(new URL(`http://127.0.0.1:${port}/`), headers, '{}');
    expect(attempt.status).toBeNull();
    expect(attempt.error).toMatch(/./);
    await sender.close();
    server.close();
  });

  test('throws for a forbidden host when its addresses are looked up', async () => {
    await expect(production.addresses('inside.example.com')).rejects.toThrow(Forbidden);
    await expect(production.addresses('[::1]')).rejects.toThrow(Forbidden);
    expect(await sandbox.addresses('[::1]')).toEqual(['::1']);
  });
});
