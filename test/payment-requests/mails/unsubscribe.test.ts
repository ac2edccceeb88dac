import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLook, createAccount } from '../../../src/accounts/index.ts';
import { unsubscribeUrl } from '../../../src/payment-requests/mails/dress.ts';
import { testOperator } from '../../harness/actors.ts';
import { mailDesk } from '../../harness/builders/payer-mails.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let desk: ReturnType<typeof mailDesk>;
let made = 0;
const address = (): string => `eva${++made}@example.com`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', LETTERS_A_MINUTE: '0' });
  player = playerOf(service);
  desk = mailDesk(service);
  await desk.set({ request: true, receipt: true });
});
afterAll(() => service.stop());

const url = (id: number): string =>
  unsubscribeUrl(service.service.parts.links, { accountId: testAccount, id });

const post = (address: string, init: RequestInit = {}) =>
  fetch(address, { method: 'POST', redirect: 'manual', ...init });

const subjects = async (email: string): Promise<string[]> =>
  (await desk.readOf(email)).map(({ subject }) => subject.slice(0, 8)).sort();

const told = async (id: number): Promise<string[]> =>
  (await player.events(id)).map(({ type }) => type.slice('payment_request.'.length));

test('asks for confirmation, so that a mail scanner changes nothing', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  const page = await fetch(url(id));
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await page.text()).toContain(email);
  expect(await (await fetch(`${url(id)}?lang=en`)).text()).toContain('Stop these e-mails?');
  await desk.work();
  expect(await subjects(email)).toEqual(['Cobro de']);
});

test('shows the account’s color on the page to unsubscribe', async () => {
  const acting = { ...service.service.parts.base, actor: testOperator };
  const profile = { address: 'Belgrano 123, Salta' };
  await changeLook(acting)({ accountId: testAccount, accent: '#7a1f5c', profile });
  const id = await player.create({ payer_email: address() });
  const page = await (await fetch(url(id))).text();
  expect(page).toMatch(/<link[^>]+7a1f5c/);
});

test.each([
  ['as a form', { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }],
  [
    'as multipart',
    {
      body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    },
  ],
  ['without a body', {}],
])(
  'stops request e-mails to the address with one click, posted %s, and keeps receipts',
  async (_, init) => {
    const email = address();
    const id = await player.create({ payer_email: email });
    expect((await post(url(id), init)).status).toBe(200);
    expect((await post(url(id), init)).status).toBe(200);
    const other = await player.create({ payer_email: email.toUpperCase() });
    await desk.work();
    expect(await subjects(email)).toEqual([]);
    await player.pay(other);
    await player.pay(id);
    await desk.work();
    expect(await subjects(email)).toEqual(['Recibimo']);
    expect((await told(id)).filter((what) => what === 'unsubscribed')).toHaveLength(1);
  },
);

test('drops a waiting e-mail when its reader unsubscribes', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await desk.sealed();
  await service.service.parts.payerMails.work();
  await post(url(id));
  await desk.work();
  expect(await subjects(email)).toEqual([]);
});

test('resumes e-mails for a payer who subscribes again', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await post(url(id));
  expect(await (await post(`${url(id)}/undo`)).text()).toContain('volver a recibir');
  const next = await player.create({ payer_email: email });
  await desk.work();
  // The first request's e-mail may have been dropped in between; the second's is sent.
  expect((await subjects(email)).length).toBeGreaterThan(0);
  expect(await told(id)).toEqual(['created', 'unsubscribed', 'resubscribed']);
  expect(await told(next)).toEqual(['created']);
});

test('stops nothing through a forged link or the payment link', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  const { links } = service.service.parts;
  const toPay = links.tokenOf({ accountId: testAccount, id });
  for (const token of ['x', `${url(id).split('/').at(-1)}x`, toPay]) {
    expect((await post(`${service.origin}/unsubscribe/${token}`)).status).toBe(404);
  }
  await desk.work();
  expect(await subjects(email)).toEqual(['Cobro de']);
});

test('stops e-mails to an address only for the account of the link', async () => {
  const email = address();
  const { base, links } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const id = await player.create({ payer_email: email });
  await post(url(id));
  await createAccount(acting, { id: 'B1B2C3D4', name: 'Otra', cuit: '30999999995', city: 'Salta' });
  const elsewhere = links.tokenOf({ accountId: 'B1B2C3D4', id }, 'unsubscribe');
  expect((await post(`${service.origin}/unsubscribe/${elsewhere}`)).status).toBe(404);
  const rows = await service.sql`
    select account_id from payer_mail_stops where address = ${email}`;
  expect(rows).toEqual([{ account_id: testAccount }]);
});
