import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cbu } from '../harness/builders/mandates.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let owner: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  player = playerOf(service);
  owner = await signIn(service, 'owner');
});
afterAll(() => service.stop());

/** Creates a paid QR. Returns the number of its request. */
async function paidQr(part: string): Promise<number> {
  const qr = callerOf(service);
  expect((await qr.save([itemOf(service, full(part))])).status).toBe(201);
  expect((await qr.pay(full(part))).status).toBe(200);
  const [row] = await service.sql<{ id: number }[]>`
    select id from requests where code = ${full(part)}`;
  return row?.id ?? 0;
}

const lines = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n');

test('exports filtered mandates and debits in full, with formulas disarmed and no account numbers', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const { body } = await service.call('POST', '/adhesion', {
      body: adhesionBody({ adhesion_holder_name: `=Socio ${index}` }),
    });
    ids.push(body.id);
  }
  await createDebit(service, ids[0] ?? 0, { external_reference: 'D-1' });
  const list = await owner.get(`${home}/mandates?q=socio`);
  expect(list.text).toContain(`${home}/mandates/export.csv?q=socio`);
  const file = await owner.get(`${home}/mandates/export.csv?q=socio`);
  expect(file.headers.get('content-disposition')).toContain('adhesiones.csv');
  const [head = '', ...rows] = lines(file.text);
  expect(head).toContain('Adhesión;Clase;Estado');
  expect(rows).toHaveLength(60);
  expect(file.text).not.toContain(cbu);
  expect(file.text).not.toMatch(/(^|;)=/m);
  const debits = await owner.get(`${home}/debits/export.csv?q=D-1`);
  expect(lines(debits.text)).toHaveLength(2);
  expect(debits.text).toContain(';1430,50;');
  const english = await owner.get(`${home}/debits/export.csv?q=D-1&lang=en`);
  expect(english.text).toContain(',1430.50,');
  expect(lines((await owner.get(`${home}/debits/export.csv?state=paid`)).text)).toHaveLength(1);
  const workbook = await owner.get(`${home}/debits/export.xlsx?lang=en`);
  expect([workbook.status, workbook.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('debits.xlsx'),
  ]);
  const words = await owner.get(`${home}/debits/export.csv?day=nothing&kind=x&behind=9`);
  expect(lines(words.text)).toHaveLength(2);
});

test('links report rows to the paid request or QR', async () => {
  const id = await player.create();
  await player.pay(id);
  await paidQr('report');
  const { text } = await owner.get(`${home}/reports/collection`);
  for (const path of [`${home}/requests/${id}`, `${home}/qr/${full('report')}`]) {
    expect(text).toContain(`href="${path}"`);
    expect((await owner.get(path)).status).toBe(200);
  }
});

test('shows charged-back payments, also of QRs, on the home page and by e-mail', async () => {
  const id = await player.create();
  await player.pay(id, { channel: 'credit_card' });
  await owner.post(`${home}/settings/notifications`, { topics: ['disputes'] });
  const [code, back] = [await paidQr('disputed'), await paidQr('given-back')];
  for (const one of [id, code]) expect((await player.chargeback(one)).status).toBe(200);
  expect((await player.refund(back)).status).toBe(200);
  const { text } = await owner.get(home);
  expect(text).toContain('hubo 2 contracargos');
  const told = async () => {
    await service.service.parts.webhooks.publish();
    await service.sql`update notice_marks set look_at = look_at - interval '15 minutes'`;
    await service.service.parts.digests.tell();
    const rows = await service.sql<{ body: string }[]>`
      select body from mails where subject like '%: novedades' order by id`;
    return rows.map(({ body }) => /- (.*)/.exec(body)?.[1]);
  };
  expect(await told()).toEqual(['2 pagos desconocidos por sus titulares']);
  expect(await told()).toHaveLength(1);
  const [, href = ''] = /href="([^"]*\/reports\/chargeback[^"]*)"/.exec(text) ?? [];
  const report = await owner.get(href.replaceAll('&amp;', '&'));
  expect([report.status, report.text]).toEqual([200, expect.stringContaining(`/requests/${id}"`)]);
  const collections = await signIn(service, 'collections');
  const limited = await collections.get(home);
  expect(limited.text).toContain('hubo 2 contracargos');
  expect(limited.text).not.toContain('/reports/chargeback');
});
