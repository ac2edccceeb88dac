import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { holderBalances } from '../../src/money/ledger/index.ts';
import { launchBrowser } from '../harness/browser.ts';
import { inDays } from '../harness/builders/clock.ts';
import { cbu } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';
import { openPage } from '../portal/look.ts';
import { type Player, playerOf } from './play.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let player: Player;
let folder: string;
const offices = {} as Record<'owner' | 'collections' | 'treasury' | 'eva' | 'ana', Office>;
const home = `/portal/${testAccount}`;
const operating = '/portal/operator';

beforeAll(async () => {
  service = await startService({ PAYOUT_APPROVAL_ABOVE: '1000' });
  browser = await launchBrowser();
  player = playerOf(service);
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-month-'));
  offices.owner = await signIn(service, 'owner');
  offices.collections = await signIn(service, 'collections');
  offices.treasury = await signIn(service, 'treasury');
  offices.eva = await signIn(service, 'operator');
  offices.ana = await signIn(service, 'operator');
  await service.sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page in a user's browser and performs an act on it. */
async function at<T>(office: Office, page: string, does: (page: Page) => Promise<T>): Promise<T> {
  const opened = await openPage(browser, { origin: service.origin, office, path: page });
  opened.setDefaultTimeout(60_000);
  try {
    return await does(opened);
  } finally {
    await opened.context().close();
  }
}

/** Imports a spreadsheet on the portal's page, and waits until it is done. */
const imported = (kind: string, name: string, lines: readonly string[]): Promise<void> =>
  at(offices.collections, `${home}/imports`, async (page) => {
    const file = path.join(folder, name);
    await writeFile(file, lines.join('\r\n'));
    await page.locator('[name=kind]').selectOption(kind);
    await page.setInputFiles('input[type=file]', file);
    await page.getByRole('button', { name: 'Subir y revisar' }).click();
    await page.getByRole('button', { name: /^Crear \d+ fila/ }).click();
    await page.getByText('Terminada').waitFor({ timeout: 300_000 });
  });

const moveClock = (step: string): Promise<void> =>
  at(offices.eva, `${operating}/sandbox`, async (page) => {
    await page.locator('[name=step]').selectOption(step);
    await page.getByRole('button', { name: 'Adelantar el reloj' }).click();
    await page.getByText('El reloj marca').waitFor();
  });

const cents = (text: string): number =>
  Number(text.replace(/[^\d,-]/g, '').replace(',', '.')) * 100;

const count = async (sql: ReturnType<TestService['sql']>): Promise<number> => {
  const [row] = (await sql) as unknown as { count: number }[];
  return row?.count ?? 0;
};

test('bills 2,000 members, collects, debits, refunds and pays out, with a statement like the ledger', async () => {
  const members = 2_000;
  await at(offices.owner, `${home}/settings/mails`, async (page) => {
    await page.locator('[name=kinds][value=request]').check();
    await page.locator('[name=kinds][value=receipt]').check();
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.locator('.notice-good').waitFor();
  });

  await imported('payment_request', 'socios.csv', [
    'Socio;Correo;Concepto;Vencimiento;Importe;Referencia',
    ...Array.from(
      { length: members },
      (_unused, no) =>
        `Socio ${no};socio${no}@example.com;Cuota social;${inDays(service, 20)};${1_000 + no},00;S-${no}`,
    ),
  ]);
  await vi.waitFor(
    async () =>
      expect(
        await count(service.sql`
          select count(*)::int as count from payer_mails where kind = 'request'`),
      ).toBe(members),
    { timeout: 120_000, interval: 500 },
  );

  const ids = await service.sql<{ id: number }[]>`
    select id from requests where reference like 'S-%' order by id`;
  const channels = ['credit_card', 'debit_card', 'DEBIN', 'wire_transfer', 'qr', 'non_banking'];
  const paid = ids.slice(0, 60).map(({ id }) => id);
  for (const [no, id] of paid.entries()) {
    const { status } = await player.pay(id, { channel: channels[no % channels.length] });
    expect([no, status]).toEqual([no, 200]);
  }

  const mandates = ['Socia A', 'Socia B', 'Socia C'];
  await imported('adhesion', 'adhesiones.csv', [
    'Nombre;Correo;Concepto;Concepto corto;CBU;Titular;DNI;Legajo',
    ...mandates.map(
      (name, no) => `${name};a${no}@example.com;Cuota;Cuota;${cbu};${name};20111222;M-${no}`,
    ),
  ]);
  const signed = await service.sql<{ id: number }[]>`
    select id from mandates where reference like 'M-%' and state = 'signed' order by id`;
  expect(signed).toHaveLength(mandates.length);
  await imported('debit_request', 'debitos.csv', [
    'Adhesión;Vencimiento;Importe;Referencia',
    ...signed.map(
      ({ id }, no) => `${id};${inDays(service, 12)};${no === 1 ? '500,91' : '500,00'};D-${no}`,
    ),
  ]);
  await moveClock('month');

  await at(offices.collections, `${home}/debits?state=rejected`, async (page) => {
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.locator('tbody tr a').first().click();
    expect(await page.locator('main').innerText()).toContain('Falta de fondos');
  });

  const [disputed = 0, , , returned = 0] = paid;
  await at(offices.eva, `${operating}/sandbox/requests/${disputed}`, async (page) => {
    await page.getByRole('button', { name: /contrac/i }).click();
    await page.waitForLoadState();
  });
  expect((await player.get(disputed)).state).toBe('reverted');
  await at(offices.owner, `${home}/settings/refunds`, async (page) => {
    await page.locator('[name=above]').fill('500');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.locator('.notice-good').waitFor();
  });
  await at(offices.treasury, `${home}/requests/${returned}`, async (page) => {
    await page.getByRole('link', { name: 'Devolver' }).click();
    await page.getByLabel(/CBU o CVU/).fill('2850590940090418135201');
    await page.getByRole('button', { name: 'Devolver', exact: true }).click();
    await page.getByText('La propusiste vos').waitFor();
  });
  expect(await service.sql`select 1 from refunds`).toEqual([]);
  await at(offices.owner, home, async (page) => {
    await page.getByRole('link', { name: /1 devolución que espera tu aprobación/ }).click();
    await page.locator('tbody th a').first().click();
    await page.getByRole('button', { name: 'Aprobar' }).click();
    await page.getByText('Aprobada').first().waitFor();
  });
  expect(await service.sql`select request_id from refunds`).toEqual([{ request_id: returned }]);
  await moveClock('day');

  await at(offices.eva, `${operating}/payouts/new`, async (page) => {
    await page.locator('[name=reference]').fill('cierre');
    await page.locator('main form button[type=submit]').first().click();
    await page.getByText('Espera a otra persona').first().waitFor();
  });
  const [proposal] = await service.sql<{ id: number }[]>`
    select id from proposals where reference = 'cierre'`;
  await at(offices.ana, `${operating}/payouts/proposals/${proposal?.id}`, async (page) => {
    await page.getByRole('button', { name: /Aprobar/ }).click();
    await page.getByText('Aprobada').first().waitFor();
  });

  const month = service.service.parts.clocks.business.today().toPlainYearMonth();
  const statement = `${home}/reports/statement`;
  await at(offices.owner, `${statement}?month=${month}`, async (page) => {
    const closing = page.locator('.figure', { hasText: 'Saldo final' }).locator('dd').first();
    const { available, unavailable } = await holderBalances(service.sql, testAccount);
    expect(cents((await closing.textContent()) ?? '')).toBe(available + unavailable);
  });
  const pdf = await fetch(`${service.origin}${statement}.pdf?month=${month}`, {
    headers: { cookie: offices.owner.cookie },
  });
  const pages = await readPdf(Buffer.from(await pdf.arrayBuffer()), 1);
  expect(pages.map(({ text }) => text).join()).toContain('Resumen de');
  expect(await player.faults()).toEqual([]);
});
