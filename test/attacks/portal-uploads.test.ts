import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const addressOf = (accountId: string): string => `/portal/${accountId}/imports`;

const part = (name: string, value: string): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\na;b\n';

interface Sending {
  socket: Socket;
  /** The head of the answer, once it arrives. */
  answer: Promise<string>;
}

/** Starts sending a form whose file never ends. */
function begin(office: Office, accountId: string, token?: string): Sending {
  const { hostname, port } = new URL(service.origin);
  const path = addressOf(accountId);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: x',
      `origin: ${service.origin}`,
      `cookie: ${office.cookie}`,
      'content-type: multipart/form-data; boundary=x',
      'content-length: 16000000',
      '',
      `${part('token', token ?? office.token(path))}${part('kind', 'payment_request')}${filePart}`,
    ].join('\r\n'),
  );
  return { socket, answer: once(socket, 'data').then(([bytes]) => String(bytes)) };
}

const upload = (office: Office, accountId = testAccount) =>
  office.send(
    addressOf(accountId),
    { name: 'socios.csv', content: `Socio;Importe\nAna ${accountId};1\n` },
    { kind: 'payment_request' },
  );

test('refuses a user without import rights before the file arrives, and frees the slot', async () => {
  const reader = await signIn(service, 'read_only');
  const slow = Array.from({ length: 12 }, () => begin(reader, testAccount));
  for (const { answer, socket } of slow) {
    expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  }
  const office = await signIn(service, 'collections');
  expect((await upload(office)).status).toBe(303);
});

test('refuses a form without its token before its file arrives', async () => {
  const office = await signIn(service, 'collections');
  const { answer, socket } = begin(office, testAccount, 'forged');
  expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
  socket.destroy();
});

test('serves others during one account’s slow uploads, and answers it 503 with Retry-After', async () => {
  const { id } = await anotherAccount(service);
  const greedy = await signIn(service, 'collections', { accountId: id });
  const slow = Array.from({ length: 12 }, () => begin(greedy, id));
  const office = await signIn(service, 'collections');
  expect((await upload(office)).status).toBe(303);
  await vi.waitFor(async () => {
    const refused = await upload(greedy, id);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  });
  for (const { socket, answer } of slow) {
    answer.catch(() => {});
    socket.destroy();
  }
  await vi.waitFor(async () => expect((await upload(greedy, id)).status).toBe(303));
});

const broken: [string, string, (token: string) => string][] = [
  ['cut short', 'multipart/form-data; boundary=x', (token) => part('token', token) + filePart],
  ['cut in a header', 'multipart/form-data; boundary=x', () => '--x\r\ncontent-dispo'],
  ['empty', 'multipart/form-data; boundary=x', () => ''],
  ['without a boundary', 'multipart/form-data', (token) => part('token', token)],
  ['with another boundary', 'multipart/form-data; boundary=y', (token) => part('token', token)],
  [
    'with __proto__',
    'multipart/form-data; boundary=x',
    (token) => `${part('token', token)}${part('__proto__', 'a')}--x--\r\n`,
  ],
  [
    'with constructor',
    'multipart/form-data; boundary=x',
    (token) => `${part('token', token)}${part('constructor', 'a')}--x--\r\n`,
  ],
  [
    'with 1,000 fields',
    'multipart/form-data; boundary=x',
    (token) => `${part('token', token)}${part('a', 'b').repeat(1_000)}--x--\r\n`,
  ],
  [
    'of 20 MB',
    'multipart/form-data; boundary=x',
    (token) => `${part('token', token)}${filePart}${'x'.repeat(20_000_000)}\r\n--x--\r\n`,
  ],
  ['that is a JSON body', 'application/json', () => '{}'],
];

test.each(broken)('answers 4xx to a form %s', async (_name, type, bodyOf) => {
  const office = await signIn(service, 'collections');
  const path = addressOf(testAccount);
  const answer = await fetch(service.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: service.origin, cookie: office.cookie, 'content-type': type },
    body: bodyOf(office.token(path)),
  });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

test('refuses a file of 100 MB without keeping it in memory', async () => {
  const office = await signIn(service, 'collections');
  const piece = new Uint8Array(1_000_000);
  const path = addressOf(testAccount);
  const before = process.memoryUsage().rss;
  const head = part('token', office.token(path)) + filePart;
  const body = new Blob([head, ...Array(100).fill(piece), '\r\n--x--\r\n']);
  const answer = await fetch(service.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      origin: service.origin,
      cookie: office.cookie,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body,
  });
  expect(answer.status).toBe(413);
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});
