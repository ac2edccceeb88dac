import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPicture } from '../../src/accounts/appearance/picture.ts';
import { changeLook } from '../../src/accounts/index.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { qrIn, readPdf } from '../payment-requests/documents/readers.ts';
import { drawn } from '../portal/pictures.ts';
import { playerOf } from '../scenarios/play.ts';
import { type ImportDesk, openDesk } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
let office: Office;
const home = `/portal/${testAccount}/imports`;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
  office = await signIn(service, 'collections');
});
afterAll(() => service.stop());

const read = async (path: string): Promise<{ status: number; type: string; bytes: Buffer }> => {
  const answer = await fetch(service.origin + path, { headers: { cookie: office.cookie } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', bytes };
};

test('prints the unpaid coupons of an import to one PDF, each page like the single coupon', async () => {
  const { import: draft } = await desk.upload(desk.members(12));
  await desk.confirm(draft);
  const one = await desk.until(draft.id, 'completed');
  const [paid] = await service.sql<{ id: number }[]>`select min(id)::int as id from requests`;
  expect((await service.call('POST', `/sandbox/pay/${paid?.id}`)).status).toBe(200);
  const pdf = await read(`${home}/${one.id}/coupons.pdf`);
  expect([pdf.status, pdf.type]).toEqual([200, 'application/pdf']);
  const pages = await readPdf(pdf.bytes);
  // Paid requests are not printed again.
  expect(pages).toHaveLength(11);
  const rows = await service.sql<{ id: number; payer: string }[]>`
    select id, payer from requests where state = 'pending' order by id`;
  for (const [at, row] of rows.entries()) {
    expect(pages[at]?.text).toContain(`N.º ${row.id}`);
    expect(pages[at]?.text).toContain(row.payer);
  }
  const { body } = await service.call('GET', `/payment-request/${rows[0]?.id}`);
  const [alone] = await readPdf(Buffer.from(await (await fetch(body.pdf_url)).arrayBuffer()));
  const [first] = pages;
  expect(first?.text).toBe(alone?.text);
  expect(first && qrIn(first.pixels)).toBe(alone && qrIn(alone.pixels));
});

test('prints a sheet of codes for imported QRs, and no coupons', async () => {
  const heads = 'Código;Socio;Concepto;Localidad;Vencimiento;Importe';
  const row = `P-1;Ana Sosa;Cuota;Rosario;${desk.due};1500`;
  const { import: draft } = await desk.upload(`${heads}\n${row}`, 'qr.csv', 'qr');
  await desk.confirm(draft);
  await desk.until(draft.id, 'completed');
  expect((await read(`${home}/${draft.id}/coupons.pdf`)).status).toBe(404);
  expect((await read(`${home}/999999/coupons.pdf`)).status).toBe(404);
  const sheet = await read(`${home}/${draft.id}/sheet.html`);
  expect([sheet.status, sheet.type]).toEqual([200, 'text/html; charset=utf-8']);
  expect(sheet.bytes.toString()).toContain('Ana Sosa');
  expect(sheet.bytes.toString().match(/data:image\/svg\+xml;base64,/g)).toHaveLength(1);
});

test('offers the result as a workbook', async () => {
  const { import: draft } = await desk.upload(desk.members(3));
  await desk.confirm(draft);
  await desk.until(draft.id, 'completed');
  const { default: readXlsx } = await import('read-excel-file/node');
  const book = await read(`${home}/${draft.id}/result.xlsx`);
  expect(book.type).toContain('spreadsheetml');
  const [sheet] = (await readXlsx(book.bytes)) as unknown as { data: unknown[][] }[];
  expect(sheet?.data).toHaveLength(4);
  expect(sheet?.data[1]?.[1]).toBe('created');
});

test('prints the account’s logo on the same coupon in e-mails and at the public link', async () => {
  const { base, coupons } = service.service.parts;
  const acting = { ...base, actor: { kind: 'user', id: office.userId } as const };
  const logo = readPicture(drawn('png'));
  if (typeof logo === 'string') throw new Error(logo);
  await changeLook(acting)({ accountId: testAccount, logo });
  const id = await playerOf(service).create();
  const mailed = await coupons.ofRequest({ accountId: testAccount, id });
  const { body } = await service.call('GET', `/payment-request/${id}`);
  const linked = Buffer.from(await (await fetch(body.pdf_url)).arrayBuffer());
  expect(mailed?.equals(linked)).toBe(true);
  expect(linked.includes('/Subtype /Image')).toBe(true);
});
