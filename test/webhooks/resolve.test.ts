import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { createGuard } from '../../src/webhooks/delivery/address.ts';
import { dnsResolver } from '../../src/webhooks/delivery/resolve.ts';

const typeA = 1;

/** Builds the answer to a query: one address for A, none for AAAA. */
function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const isA = question.readUInt16BE(question.length - 4) === typeA;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isA ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 215, 14]);
  return Buffer.concat([head, question, ...(isA ? [address] : [])]);
}

/** Starts a name server. `answer` returns null to stay silent. */
async function openNameServer(answer: (query: Buffer) => Buffer | null) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const bytes = answer(query);
    if (bytes !== null) socket.send(bytes, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

test('resolves by DNS, with one family or both, and keeps local names local', async () => {
  const server = await openNameServer(answerTo);
  const resolve = dnsResolver([server.address]);
  expect(await resolve('hooks.example.com')).toEqual(['93.184.215.14']);
  expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('a.LocalHost.')).toEqual(['127.0.0.1', '::1']);
  server.close();
});

test('a silent name server delays no other look-up, and callers only until a deadline', async () => {
  const server = await openNameServer(() => null);
  const resolve = dnsResolver([server.address]);
  const slow = Array.from({ length: 50 }, (_none, no) => resolve(`a${no}.slow.example`));
  const ends = slow.map((one) =>
    one.then(
      () => 'found',
      () => 'failed',
    ),
  );
  expect(await Promise.race([lookup('localhost').then(() => 'first'), ...ends])).toBe('first');
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['failed']));
  server.close();
});

test('an account that waits for a silent name server gets 429, and delays no other account', async () => {
  const resolve = (host: string) =>
    host.endsWith('slow.example')
      ? new Promise<string[]>(() => {})
      : Promise.resolve(['93.184.215.14']);
  const guard = createGuard(true, resolve);
  const ends = Array.from({ length: 50 }, (_none, no) =>
    guard.fault(`https://a${no}.slow.example/`, 'AAAAAAAA').catch((error: unknown) => error),
  );
  expect(await guard.fault('https://hooks.example.com/', 'BBBBBBBB')).toBeNull();
  const refused = await Promise.all(ends.slice(24));
  for (const one of refused) expect(one).toMatchObject({ status: 429, retryAfterSeconds: 1 });
  expect(await guard.fault('https://93.184.215.14/', 'AAAAAAAA')).toBeNull();
});
