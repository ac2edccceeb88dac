import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveAccount } from '../../../src/accounts/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { mailDesk } from '../../harness/builders/payer-mails.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf } from '../../scenarios/play.ts';
import { readPdf } from '../documents/readers.ts';

let service: TestService;
let player: Player;
let desk: ReturnType<typeof mailDesk>;
let made = 0;
const address = (): string => `ana${++made}@example.com`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', LETTERS_A_MINUTE: '0' });
  player = playerOf(service);
  desk = mailDesk(service);
});
afterAll(() => service.stop());

const subjects = async (email: string): Promise<string[]> =>
  (await desk.readOf(email)).map(({ subject }) => subject).sort();

const acting = () => ({ ...service.service.parts.base, actor: testOperator });

test('sends no e-mails before an account turns them on, nor later for older requests', async () => {
  const email = address();
  const paid = await player.create({ payer_email: email });
  await player.pay(paid);
  await desk.work();
  await player.create({ payer_email: email });
  await desk.set({ request: true, receipt: true });
  await desk.work();
  expect(await desk.readOf(email)).toEqual([]);
});

test('sends a request’s e-mail once, with links to pay, to the coupon and to unsubscribe', async () => {
  const email = address();
  const id = await player.create({ payer_email: email, description: 'Cuota\nde diciembre' });
  const { checkout_url: checkout, pdf_url: pdf } = await player.get(id);
  await Promise.all([desk.work(), desk.work(), desk.work()]);
  await desk.work();
  const [mail, ...others] = await desk.readOf(email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`Cobro de ${await name()} por $ 1.430,50`);
  expect(mail?.text).toContain(`\n${checkout}\n`);
  expect(mail?.text).toContain(`\n${pdf}\n`);
  const url = /^List-Unsubscribe:\s+<(\S+)>\r$/m.exec(mail?.raw ?? '')?.[1];
  expect(url).toMatch(/\/unsubscribe\//);
  expect(mail?.text).toContain(url);
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  const rows = await service.sql`select body from mails where recipient = ${email}`;
  expect(JSON.stringify(rows)).not.toContain('http');
});

const name = async (): Promise<string> =>
  (await service.service.parts.readAccount(testAccount))?.name ?? '';

test('mails nothing for a request without an address', async () => {
  const before = (await desk.read()).length;
  await player.create();
  await desk.work();
  expect(await desk.read()).toHaveLength(before);
});

test('never interprets a name or description as a placeholder, link, markup or header', async () => {
  const email = address();
  await player.create({
    payer_email: email,
    payer_name: '{enlace} [[link]] <b>Ana</b>',
    description: 'Cuota\nBcc: otro@example.com {cupon}',
  });
  await desk.work();
  const [mail] = await desk.readOf(email);
  expect(mail?.text).toContain('Hola, {enlace} [ [link]] <b>Ana</b>:');
  expect(mail?.raw).toMatch(/^Content-Type: text\/plain/m);
  expect(mail?.raw.split('\r\n\r\n')[0]).not.toContain('otro@example.com');
});

test('mails a receipt for each payment of a request, and none for a chargeback', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await player.pay(id);
  await desk.work();
  expect(await subjects(email)).toEqual([
    // The request's own e-mail is not sent, because the request was paid first.
    `Recibimos tu pago de $ 1.430,50 a ${await name()}`,
  ]);
  await player.pay(id, { amount: 200 });
  await desk.work();
  await player.chargeback(id);
  await desk.work();
  const all = await subjects(email);
  expect(all.map((one) => one.replace(/ a .*/, ''))).toEqual([
    'Recibimos tu pago de $ 1.430,50',
    'Recibimos tu pago de $ 200,00',
  ]);
});

test('mails no receipt for a payment reversed before the receipt is sent', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await player.pay(id);
  await player.refund(id);
  await desk.work();
  expect(await subjects(email)).toEqual([]);
});

test('sends no e-mail for a refused attempt', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await desk.work();
  await player.pay(id, { channel: 'credit_card', card_number: '4258210000474094' });
  await desk.work();
  expect(await subjects(email)).toHaveLength(1);
});

test('mails two requests to one address separately, in the account’s languages', async () => {
  await desk.set({ request: true, receipt: true, languages: 'both' });
  const email = address();
  await player.create({ payer_email: email });
  await player.create({ payer_email: email.toUpperCase() });
  await desk.work();
  const mails = (await desk.read()).filter(({ to }) => to.toLowerCase().includes(email));
  expect(mails).toHaveLength(2);
  for (const { text } of mails) {
    expect(text).toContain('Pagar en línea:');
    expect(text).toContain('Pay online:');
  }
  await desk.set({ request: true, receipt: true });
});

test('attaches the coupon as a PDF if the account wants it', async () => {
  await desk.set({ request: true, receipt: true, attachesCoupon: true });
  const email = address();
  const id = await player.create({ payer_email: email });
  await desk.work();
  const [mail] = await desk.readOf(email);
  expect(mail?.raw).toContain(`filename=cupon-${id}.pdf`);
  const pdf = /cupon-\d+\.pdf\r\n(?:.+\r\n)*\r\n([\w+/=\r\n]+)/.exec(mail?.raw ?? '')?.[1] ?? '';
  expect(Buffer.from(pdf, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  await desk.set({ request: true, receipt: true });
});

test('attaches each payment’s own receipt, in the account’s language', async () => {
  const email = address();
  const id = await player.create({ payer_email: email, payer_name: 'Ñandú Paz' });
  await player.pay(id);
  await player.pay(id, { amount: 200 });
  await desk.work();
  const mails = await desk.readOf(email);
  const texts = [];
  for (const { raw } of mails) {
    const pdf = new RegExp(
      `comprobante-${id}\\.pdf\\r\\n(?:.+\\r\\n)*\\r\\n([\\w+/=\\r\\n]+)`,
    ).exec(raw);
    const [page] = await readPdf(Buffer.from(pdf?.[1] ?? '', 'base64'));
    texts.push(page?.text.replaceAll('\n', ' ') ?? '');
  }
  expect(texts.map((text) => text.includes('Ñandú Paz'))).toEqual([true, true]);
  const amounts = texts.map((text) => /\$\s?(1\.430,50|200,00)/.exec(text)?.[1]);
  expect(amounts.toSorted()).toEqual(['1.430,50', '200,00']);
  await desk.set({ request: true, receipt: true, languages: 'en' });
  const other = address();
  const paid = await player.create({ payer_email: other });
  await player.pay(paid);
  await desk.work();
  const [mail] = await desk.readOf(other);
  expect(mail?.raw).toContain(`comprobante-${paid}.pdf`);
  await desk.set({ request: true, receipt: true });
});

test('retries an e-mail whose PDF cannot be drawn, then sends it without the PDF', async () => {
  const hash = '0'.repeat(64);
  const look = { logo: { hash, kind: 'jpeg', width: 10, height: 10 } };
  await service.sql`
    insert into account_logos (account_id, hash, kind, content)
    values (${testAccount}, ${hash}, 'jpeg', ${Buffer.from('no picture')})`;
  await service.sql`update accounts set look = ${JSON.stringify(look)}::text::jsonb where id = ${testAccount}`;
  const email = address();
  const paid = await player.create({ payer_email: email });
  await player.pay(paid);
  await desk.work();
  expect(await desk.readOf(email)).toEqual([]);
  await service.sql`update mails set next_at = now() where recipient = ${email}`;
  await desk.work();
  await desk.work();
  const [mail, ...others] = await desk.readOf(email);
  await service.sql`update accounts set look = null where id = ${testAccount}`;
  expect(others).toEqual([]);
  expect(mail?.subject).toContain('Recibimos tu pago');
  expect(mail?.text).toContain('/checkout/');
  expect(mail?.raw).not.toContain('.pdf');
});

test('queues one e-mail for each of 2,000 new requests, despite concurrent workers', async () => {
  const { requests, clocks } = service.service.parts;
  const count = 2_000;
  const day = clocks.business.today().add({ days: 10 });
  const { paymentRequestForm } = await import('../../../src/payment-requests/index.ts');
  const parsed = paymentRequestForm.read(
    {
      description: 'Cuota',
      first_due_date: `${String(day.day).padStart(2, '0')}-${String(day.month).padStart(2, '0')}-${day.year}`,
      first_total: 100,
      payer_name: 'Ana',
      payer_email: 'many@example.com',
    },
    { today: clocks.business.today(), offered: ['non_banking'], barcode: requests.barcodeFormat },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const ctx = { accountId: testAccount, actor: testOperator, requestId: 'many' };
  await requests.createMany(
    Array.from({ length: count }, () => ({ ctx, input: parsed.value, claim: null })),
  );
  await desk.sealed();
  const { payerMails } = service.service.parts;
  await Promise.all([payerMails.work(), payerMails.work()]);
  await payerMails.work();
  const [row] = await service.sql<{ count: number; differ: number }[]>`
    select count(*)::int as count, count(distinct link_id)::int as differ from mails
    where recipient = 'many@example.com'`;
  expect(row).toEqual({ count, differ: count });
  await service.sql`update mails set state = 'dropped', paced = false where recipient = 'many@example.com'`;
});

test('sends no e-mails for a suspended account, not even after it reopens', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await moveAccount(acting(), { accountId: testAccount, move: 'suspend', reason: 'x' });
  await player.pay(id);
  await desk.work();
  await moveAccount(acting(), { accountId: testAccount, move: 'reopen', reason: 'x' });
  await desk.work();
  expect(await subjects(email)).toEqual([]);
});

test('drops a waiting e-mail when its request is paid, and sends the receipt', async () => {
  const email = address();
  const id = await player.create({ payer_email: email });
  await desk.sealed();
  await service.service.parts.payerMails.work();
  await player.pay(id);
  await desk.work();
  expect((await subjects(email)).map((one) => one.slice(0, 8))).toEqual(['Recibimo']);
});

test('changes nothing for repeated settings, and refuses reminders other than 1 to 30 days ahead', async () => {
  expect(await desk.set({ request: true })).toBe(true);
  expect(await desk.set({ request: true })).toBe(false);
  await expect(desk.set({ reminder: true, reminderDays: 0 })).rejects.toThrow(/1 to 30/);
  await expect(desk.set({ reminder: true, reminderDays: 31 })).rejects.toThrow(/1 to 30/);
});
