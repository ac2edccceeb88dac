import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleOf } from '../../src/users/index.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { actRoutes, addressOf } from './routes.ts';

let service: TestService;
let owner: Office;
let operator: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  owner = await signIn(service, 'owner');
  operator = await signIn(service, 'operator');
});
afterAll(() => service.stop());

const age = (minutes: number) => service.sql`
  update user_sessions set proved_at = now() - make_interval(mins => ${minutes})`;

test.each([
  'users.manage',
  'operators.manage',
  'webhooks.manage',
  'settings.change',
  'suspense.manage',
  'files.manage',
  'fees.manage',
  'accounts.manage',
] as const)('requires a fresh proof for %s', (act) => {
  expect(ruleOf(act).fresh).toBe(true);
});

test('sends a stale session to confirm its password before any act that requires a fresh proof', async () => {
  await age(11);
  const stale = actRoutes().filter(({ act, method }) => method === 'POST' && ruleOf(act).fresh);
  expect(stale.length).toBeGreaterThan(30);
  for (const route of stale) {
    const address = addressOf(route);
    const office = address.startsWith('/portal/operator') ? operator : owner;
    const { status, location } = await office.post(address);
    expect([address, status, location?.split('?')[0]]).toEqual([address, 303, '/portal/confirm']);
  }
  await age(0);
});

test('requires a fresh proof for a refund to a CBU', async () => {
  const player = playerOf(service);
  const created = await service.call('POST', '/payment-request', {
    body: {
      payment_request: {
        description: 'Cuota',
        first_due_date: '05-12-2030',
        first_total: 100,
        payer_name: 'Ana',
      },
    },
  });
  await player.pay(created.body.id, { channel: 'non_banking' });
  const at = `${home}/requests/${created.body.id}/refund`;
  const form = { key: crypto.randomUUID(), amount: '10', cbu: '2850590940090418135201' };
  await age(11);
  const stale = await owner.post(at, form);
  expect(stale.location).toBe(`/portal/confirm?next=${encodeURIComponent(at)}`);
  await age(0);
  expect((await owner.post(at, form)).location).toContain(`${home}/re`);
});

test('notifies owners when a webhook is added or removed, or its secret rotated', async () => {
  const page = await owner.get(`${home}/webhooks/new`);
  const [, action = ''] = /action="([^"]+\/create)"/.exec(page.text) ?? [];
  const fields = { url: 'http://127.0.0.1:9/hook', event_types: 'payment_request.paid' };
  const made = await owner.post(action, fields);
  expect(made.status).toBe(200);
  // Sending the form twice creates one webhook and one e-mail.
  await owner.post(action, fields);
  const id = /webhooks\/(\d+)"/.exec(made.text)?.[1] ?? '';
  await owner.post(`${home}/webhooks/${id}/rotate`, { before: 'now' });
  await owner.post(`${home}/webhooks/${id}/remove`);
  const letters = await service.sql<{ subject: string }[]>`
    select subject from mails where recipient = ${owner.email} and subject like '%webhook%'
    order by id`;
  expect(letters.map(({ subject }) => subject.replace(/\u200b/g, ''))).toEqual([
    expect.stringContaining('van también al webhook 127.0.0.1:9'),
    expect.stringContaining('se cambió el secreto del webhook 127.0.0.1:9'),
    expect.stringContaining('se quitó el webhook 127.0.0.1:9'),
  ]);
});
