import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, moveAccount } from '../../../src/accounts/index.ts';
import { unsubscribeUrl } from '../../../src/payment-requests/mails/dress.ts';
import { testOperator } from '../../harness/actors.ts';
import { mailDesk } from '../../harness/builders/payer-mails.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let desk: ReturnType<typeof mailDesk>;
let made = 0;
const address = (): string => `leo${++made}@example.com`;
const user = { kind: 'user', id: 7 } as const;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', LETTERS_A_MINUTE: '0' });
  player = playerOf(service);
  desk = mailDesk(service);
});
afterAll(() => service.stop());

const resend = (id: number, accountId = testAccount) =>
  service.service.parts.payerMails.resend({ accountId, actor: user }, id);

const subjects = async (email: string): Promise<string[]> =>
  (await desk.readOf(email)).map(({ subject }) => subject.slice(0, 8)).sort();

async function timeline(id: number) {
  const ctx = { accountId: testAccount, actor: user, requestId: 'x' };
  return await service.service.parts.requests.timeline(ctx, id);
}

test('lets a user resend a request’s e-mail even if such e-mails are off, and shows who did', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  expect(await resend(id)).toEqual({ recipient: email, kind: 'request' });
  await desk.work();
  expect(await subjects(email)).toEqual(['Cobro de']);
  const steps = await timeline(id);
  expect(steps.map(({ what }) => what)).toEqual(['created', 'mail_resent', 'mail_sent']);
  expect(steps[1]?.actor).toEqual(user);
  expect(steps[2]?.mail).toEqual({ kind: 'request', recipient: email });
});

test('sends once for concurrent calls, and at most five times a day', async () => {
  const email = address();
  const id = await player.create({ payer_email: email, first_total: 10 });
  const both = await Promise.allSettled([resend(id), resend(id)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (let more = 0; more < 4; more += 1) {
    await player.move({ minutes: 2 });
    await resend(id);
  }
  await player.move({ minutes: 2 });
  await expect(resend(id)).rejects.toMatchObject({ kind: 'too_many_requests' });
  await player.move({ days: 1 });
  await resend(id);
});

test('resends the receipt of a paid request, and nothing for an unpayable one', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await player.pay(id);
  expect(await resend(id)).toEqual({ recipient: email, kind: 'receipt' });
  await desk.work();
  expect(await subjects(email)).toEqual(['Recibimo']);
  const late = await player.create({ payer_email: address() });
  await player.move({ days: 30 });
  await expect(resend(late)).rejects.toMatchObject({ kind: 'conflict' });
});

test('sends nothing without an address, after an unsubscription, or for another or an inactive account', async () => {
  const bare = await player.create();
  await expect(resend(bare)).rejects.toMatchObject({ kind: 'conflict' });
  const stopped = await player.create({ payer_email: address() });
  const { base, links } = service.service.parts;
  await fetch(unsubscribeUrl(links, { accountId: testAccount, id: stopped }), { method: 'POST' });
  await expect(resend(stopped)).rejects.toMatchObject({ kind: 'conflict' });
  const acting = { ...base, actor: testOperator };
  await createAccount(acting, { id: 'B1B2C3D4', name: 'Otra', cuit: '30999999995', city: 'Salta' });
  const id = await player.create({ payer_email: address() });
  await expect(resend(id, 'B1B2C3D4')).rejects.toMatchObject({ kind: 'not_found' });
  await expect(resend(999_999)).rejects.toMatchObject({ kind: 'not_found' });
  await moveAccount(acting, { accountId: testAccount, move: 'suspend', reason: 'x' });
  await expect(resend(id)).rejects.toMatchObject({ kind: 'forbidden' });
  await moveAccount(acting, { accountId: testAccount, move: 'reopen', reason: 'x' });
});

/** Starts a mail server without any mailbox. */
async function strictServer(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    socket.write('220 test\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      const refuses = text.startsWith('RCPT TO');
      socket.write(refuses ? '550 5.1.1 no such user here\r\n' : '250 fine\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { server, url: `smtp://127.0.0.1:${port}` };
}

test('tries a permanently refused e-mail once, and shows the reason at the request', async () => {
  const { server, url } = await strictServer();
  const strict = await startService({ ROLES: 'payments,web', SMTP_URL: url });
  try {
    const id = await playerOf(strict).create({ payer_email: 'nadie@example.com' });
    const { parts } = strict.service;
    await parts.payerMails.resend({ accountId: testAccount, actor: user }, id);
    while ((await parts.sendMails()) > 0);
    const ctx = { accountId: testAccount, actor: user, requestId: 'x' };
    const last = (await parts.requests.timeline(ctx, id)).at(-1);
    expect(last).toMatchObject({ what: 'mail_refused', words: '550 5.1.1 no such user here' });
    const rows = await strict.sql`select state, attempts from mails`;
    expect(rows).toEqual([{ state: 'failed', attempts: 1 }]);
  } finally {
    server.close();
    await strict.stop();
  }
});
