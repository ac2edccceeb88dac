import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { queueMails } from '../../src/platform/mail/queue.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn } from '../scenarios/play.ts';

const card = '4111 1111 1111 1111';
const digits = '4111111111111111';
const masked = '************1111';
const home = `/portal/${testAccount}`;

let service: TestService;
let owner: Office;
const logged: string[] = [];
beforeAll(async () => {
  service = await startService(
    { ROLES: 'payments,qr,web' },
    createLog('info', { write: (line) => void logged.push(line) }),
  );
  owner = await signIn(service, 'owner');
});
afterAll(() => service.stop());

const create = (fields: Record<string, unknown>) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields) });

const alarms = () => service.sql<{ account_id: string; message: string }[]>`
  select account_id, message from money_alarms where kind = 'card_number' order by id`;

test.each(['description', 'payer_name'])('refuses %s with a card number', async (field) => {
  const { status, body, text } = await create({ [field]: `Pago con ${card}` });
  expect([status, body.children[field].errors[0]]).toEqual([
    400,
    expect.stringContaining('must not contain a card number'),
  ]);
  expect(text).not.toContain('4111');
});

test('refuses card numbers in the texts of items, mandates and QRs', async () => {
  const item = await create({ items: [{ description: digits, amount: 10 }] });
  expect(item.body.children.items.children[0].children.description.errors).toHaveLength(1);
  const mandate = await service.call('POST', '/adhesion', {
    body: adhesionBody({ short_description: digits }),
  });
  expect(mandate.body.children.short_description.errors).toHaveLength(1);
  const qr = await callerOf(service).save([
    { ...itemOf(service, full('card')), description: `Con ${digits}` },
  ]);
  expect([qr.status, qr.body.errors[0].field]).toEqual([400, 'description']);
  expect(await alarms()).toEqual([]);
});

test('returns a card number in a reference or metadata over the API, masks it elsewhere, and alerts once a day', async () => {
  const { status, body } = await create({
    external_reference: digits,
    metadata: { card },
    payer_email: 'ana@example.com',
  });
  expect(status).toBe(201);
  const found = await service.call('GET', `/payment-request/${body.id}`);
  expect(found.body).toMatchObject({ external_reference: digits, metadata: { card } });
  const again = await create({ external_reference: digits });
  expect(again.status).toBe(201);
  expect(await alarms()).toEqual([
    { account_id: testAccount, message: expect.not.stringContaining('4111') },
  ]);

  for (const path of [`${home}/requests/${body.id}`, `${home}/requests`]) {
    const page = await owner.get(path);
    expect(page.text).not.toMatch(/>[^<]*4111/);
    expect(page.text).toContain(masked);
  }
  const file = await owner.get(`${home}/requests/export.csv`);
  expect(file.text).toContain(masked);
  expect(file.text).not.toContain(digits);
  const checkout = await fetch(body.checkout_url);
  const page = await checkout.text();
  expect(page).toContain(masked);
  expect(page).not.toContain(digits);
});

test('refuses a card number in a portal form’s text, and alerts for one in a reference', async () => {
  const at = `/portal/${testAccount}/settings/users/new`;
  const refused = await owner.post(at, {
    email: 'x@example.com',
    name: digits,
    role: 'collections',
  });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('Sacá el número de tarjeta'),
  ]);
  const other = await anotherAccount(service);
  const office = await signIn(service, 'owner', { accountId: other.id });
  const made = await office.post(`/portal/${other.id}/requests/new`, {
    key: crypto.randomUUID(),
    payer_name: 'Ana Paz',
    description: 'Cuota',
    first_due_date: dayIn(service, 10).split('-').reverse().join('-'),
    first_total: '1.430,50',
    channels: ['wire_transfer'],
    external_reference: digits,
    step: 'create',
  });
  expect(made.status).toBe(303);
  expect((await alarms()).map(({ account_id: id }) => id)).toContain(other.id);
});

test('masks card numbers in queued e-mails', async () => {
  const mail = {
    accountId: testAccount,
    id: await service.service.parts.base.recordIds.next(),
    recipient: 'beto@example.com',
    subject: `Pago ${digits}`,
    body: `Tu referencia: ${card}`,
    link: null,
    counts: false,
  };
  const { sql } = service;
  await sql`
    with named as (select ${testAccount} as account_id, ${mail.id}::bigint as mail_id),
    ${queueMails(sql, [mail], 'named', service.service.parts.clocks.wall.now())}
    select 1`;
  const [row] = await sql`select subject, body from mails where id = ${mail.id}`;
  expect(row).toEqual({ subject: `Pago ${masked}`, body: 'Tu referencia: **** **** **** 1111' });
});

test('masks card numbers in every log line', () => {
  const { log } = service.service.parts.base;
  const error = Object.assign(new Error(`Key (reference)=(${digits}) exists`), {
    detail: `card ${card}`,
  });
  log.error({ err: error, id: 4111111111111111 }, `failed: ${digits}`);
  const [line = '{}'] = logged.slice(-1);
  expect(JSON.parse(line)).toMatchObject({ id: 4111111111111111, msg: `failed: ${masked}` });
  expect(line.replace('"id":4111111111111111', '')).not.toMatch(/4111 ?1111/);
});
