import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { renderPoster } from '../../src/qr/poster/poster.ts';
import { mostTransactions } from '../../src/qr/static/payments.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Walls, wallsOf } from '../harness/builders/static-qrs.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { qrIn, readPdf } from '../payment-requests/documents/readers.ts';
import { lookAtPage } from './look.ts';
import { drawn } from './pictures.ts';

let service: TestService;
let browser: Browser;
let walls: Walls;
let office: Office;
const list = `/portal/${testAccount}/qr/static`;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  walls = wallsOf(service);
  office = await signIn(service, 'collections');
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Pays a counter QR once. Returns the request's id. */
async function pay(wall: Awaited<ReturnType<Walls['create']>>, total: number): Promise<number> {
  const id = await walls.asked(wall.qr_string, { first_total: total });
  expect((await walls.pay(id)).status).toBe(200);
  return (await walls.status(id)).request_id;
}

/** Returns the amounts on a wall's page, page by page. */
async function amountsAt(address: string): Promise<string[]> {
  const amounts = [];
  for (let next: string | undefined = address; next; ) {
    const { text } = await office.get(next);
    amounts.push(...text.matchAll(/data-title="Importe"[^>]*><span class="cell">([^<]*)</g));
    next = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return amounts.map(([, amount = '']) => amount.replace('$\u00a0', ''));
}

test('lists the payments of one counter QR, newest first, with their sum', async () => {
  const [wall, other] = [await walls.create(), await walls.create()];
  const path = `${list}/${wall.id}`;
  expect((await office.get(path)).text).toContain('Todavía no hay pagos');
  await walls.asked(wall.qr_string, { first_total: 999 });
  await pay(other, 5_000);
  const totals = Array.from({ length: 27 }, (_, no) => 100 + no);
  const ids = [];
  for (const total of totals) ids.push(await pay(wall, total));
  expect(await amountsAt(path)).toEqual(totals.map((total) => `${total},00`).reverse());
  const whole = totals.reduce((sum, total) => sum + total, 0).toLocaleString('es-AR');
  expect((await office.get(path)).text).toContain(`27 pagos, $\u00a0${whole},00 en total`);
  const back = await service.call('POST', `/sandbox/refund/${ids[0]}`, { body: {} });
  expect(back.status).toBe(200);
  const { text } = await office.get(path);
  expect(text).toContain('De eso, $\u00a0100,00 volvió a los pagadores.');
  await lookAtPage(browser, { origin: service.origin, office, path }, 'qr-wall');
});

test('filters payments by day, inclusive', async () => {
  const wall = await walls.create();
  const path = `${list}/${wall.id}`;
  const today = () => service.service.parts.clocks.business.today();
  const first = today();
  await pay(wall, 11);
  await walls.move({ days: 3 });
  await pay(wall, 22);
  const second = today();
  expect(await amountsAt(`${path}?from=${first}&until=${first}`)).toEqual(['11,00']);
  expect(await amountsAt(`${path}?from=${second}`)).toEqual(['22,00']);
  expect(await amountsAt(`${path}?until=${second}`)).toEqual(['22,00', '11,00']);
  const none = await office.get(`${path}?until=${first.subtract({ days: 1 })}`);
  expect(none.text).toContain('En esos días no hubo pagos');
  for (const query of ['?from=ayer', '?behind=x', '?behind=-1', '?from=2026-02-31']) {
    expect((await office.get(path + query)).status).toBe(200);
  }
});

test('finds the payments of a past day despite thousands of later transactions', async () => {
  const wall = await walls.create();
  const path = `${list}/${wall.id}`;
  const day = service.service.parts.clocks.business.today();
  await pay(wall, 33);
  await walls.move({ days: 4 });
  await service.sql`
    insert into static_transactions (account_id, id, static_id, expires_at, open)
    select t.account_id, 900000000 + no, t.static_id, t.expires_at + interval '4 days', false
    from (
      select * from static_transactions where account_id = ${testAccount} order by id desc limit 1
    ) as t, generate_series(1, ${mostTransactions + 1}::int) as no`;
  expect(await amountsAt(`${path}?from=${day}&until=${day}`)).toEqual(['33,00']);
  const later = await office.get(`${path}?from=${day.add({ days: 1 })}`);
  expect(later.text).toContain('Elegí menos días');
});

const poster = {
  issuer: 'Cooperativa Eléctrica «Ñandú»',
  issuerLine: 'CUIT 30-99999999-5',
  name: 'Caja 1',
  description: 'Entradas',
  id: 'A1B2C3D4-CAJA1',
  payload: '00020101021143650016com.mercadolibre0201306364f0c9e3'.repeat(4),
  at: '2026-11-27T12:00:00Z',
};

test('prints an A4 poster whose code an independent reader decodes', async () => {
  const wall = await walls.create({ qr_name: 'Mostrador 7' });
  const path = `${list}/${wall.id}/poster.pdf`;
  const answer = await fetch(service.origin + path, { headers: { cookie: office.cookie } });
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  const pages = await readPdf(Buffer.from(await answer.arrayBuffer()), 1);
  expect(pages).toHaveLength(1);
  const [page] = pages;
  expect(page && [page.pixels.width, page.pixels.height]).toEqual([596, 842]);
  expect(page && qrIn(page.pixels)).toBe(wall.qr_string);
  for (const words of ['Mostrador 7', 'Pagá con QR', 'Cooperativa de Demostración', wall.id]) {
    expect(page?.text).toContain(words);
  }
});

test('prints a poster with a logo and overlong texts on one page, with a readable code', async () => {
  const plain = await renderPoster(poster, null);
  expect(await renderPoster(poster, null)).toEqual(plain);
  const long = 'Muy largo '.repeat(60);
  const bytes = await renderPoster(
    {
      ...poster,
      ...{ issuer: long, name: long, description: `${long}${'x'.repeat(400)}` },
      logo: { width: 240, height: 96 },
      accent: '#7a1f5c',
    },
    drawn('png'),
  );
  const pages = await readPdf(bytes, 1);
  expect(pages).toHaveLength(1);
  expect(pages[0] && qrIn(pages[0].pixels)).toBe(poster.payload);
  expect(bytes.toString('latin1')).toContain('/Subtype /Image');
});

test('hides other accounts’ counter QRs', async () => {
  const stranger = 'B1B2C3D4';
  const acting = { ...service.service.parts.base, actor: testOperator };
  await createAccount(acting, { id: stranger, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  const wall = await walls.create();
  const other = await signIn(service, 'owner', { accountId: stranger });
  for (const path of [`${wall.id}`, `${wall.id}/poster.pdf`, 'NADA/poster.pdf']) {
    expect((await other.get(`/portal/${stranger}/qr/static/${path}`)).status).toBe(404);
  }
});
