import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNames } from '../../src/imports/index.ts';
import { launchBrowser } from '../harness/browser.ts';
import { inDays } from '../harness/builders/clock.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let office: Office;
const home = `/portal/${testAccount}/imports`;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  office = await signIn(service, 'owner');
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function download(kind: string, format: string, lang = 'es'): Promise<Uint8Array> {
  const address = `${service.origin}${home}/template.${format}?kind=${kind}&lang=${lang}`;
  const answer = await fetch(address, { headers: { cookie: office.cookie } });
  expect([kind, format, answer.status]).toEqual([kind, format, 200]);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Uploads a file, and returns the address and the page of its review. */
async function review(kind: string, name: string, content: Uint8Array | string) {
  const { status, location } = await office.send(home, { name, content }, { kind });
  expect([kind, name, status]).toEqual([kind, name, 303]);
  return { at: location ?? '', shown: await office.get(location ?? '') };
}

const figure = ({ text }: Shown, label: string): string | undefined =>
  new RegExp(`<dt>${label}</dt><dd class="figure-value">([^<]*)<`).exec(text)?.[1];

test.each(
  kindNames.flatMap((kind) => [
    [kind, 'xlsx', 'es'] as const,
    [kind, 'csv', 'es'] as const,
    [kind, 'csv', 'en'] as const,
  ]),
)(
  'recognizes every column of its own template (%s, %s, %s), and rejects the example row',
  async (kind, format, lang) => {
    const file = await download(kind, format, lang);
    const { shown } = await review(kind, `plantilla-${kind}-${lang}.${format}`, file);
    const { fields } = service.service.parts.imports.kinds[kind];
    expect(shown.text).not.toContain('Falta elegir la columna de');
    for (const { name } of fields) {
      const select = new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's');
      expect([
        name,
        /<option value="\d+" selected/.test(select.exec(shown.text)?.[1] ?? ''),
      ]).toEqual([name, true]);
    }
    expect([figure(shown, 'Filas'), figure(shown, 'Con errores')]).toEqual(['1', '1']);
    expect(shown.text).not.toContain('>Crear ');
  },
);

test('writes Spanish CSV templates for Excel in Argentina, and English ones in standard CSV', async () => {
  const lines = async (lang: string) =>
    Buffer.from(await download('payment_request', 'csv', lang)).toString();
  const [es, en] = [await lines('es'), await lines('en')];
  expect(es).toMatch(/^\uFEFFNombre del pagador;Concepto;Vencimiento;Importe;/);
  expect(es).toContain(';10/03/2020;15000,50;');
  expect(en).toMatch(/^\uFEFF[^;,]+,/);
  expect(en).toContain(',2020-03-10,15000.50,');
});

test('creates the rows that were added below the example', async () => {
  const template = Buffer.from(await download('payment_request', 'csv')).toString();
  const [headings = ''] = template.split('\r\n');
  const names = headings.replace('\uFEFF', '').split(';');
  const values: Record<string, string> = {
    'Nombre del pagador': 'Ñandú Paz',
    Concepto: 'Cuota',
    Vencimiento: inDays(service, 20),
    Importe: '1.430,50',
    'Tu referencia': 'PLANTILLA-1',
  };
  const row = names.map((name) => values[name] ?? '').join(';');
  const { at, shown } = await review('payment_request', 'llena.csv', `${template}${row}\r\n`);
  expect([figure(shown, 'Filas'), figure(shown, 'Sin errores')]).toEqual(['2', '1']);
  const version = /name="version" value="(\d+)"/.exec(shown.text)?.[1] ?? '';
  expect((await office.post(`${at}/confirm`, { version })).status).toBe(303);
  await expect
    .poll(async () => {
      const rows = await service.sql`select total1 from requests where reference = 'PLANTILLA-1'`;
      return rows.map(({ total1 }) => total1);
    })
    .toEqual([143_050]);
});

test('answers 404 for a template of an unknown kind', async () => {
  for (const query of ['', '?kind=', '?kind=password', '?kind=__proto__']) {
    expect((await office.get(`${home}/template.xlsx${query}`)).status).toBe(404);
  }
});

test.each([
  [360, 640],
  [1280, 800],
])('shows the Create button without scrolling at %i by %i', async (width, height) => {
  const rows = Array.from(
    { length: 30 },
    (_, no) => `Socia ${no};Cuota;${inDays(service, 20)};10${no};V${width}-${no}`,
  );
  const content = ['Socio;Concepto;Vencimiento;Importe;Referencia', ...rows, 'x;;;;'].join('\n');
  const { at } = await review('payment_request', `vista-${width}.csv`, content);
  const page = await openPage(browser, { origin: service.origin, office, path: at });
  await page.setViewportSize({ width, height });
  const box = await page.getByRole('button', { name: /^Crear/ }).boundingBox();
  expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThan(height);
  await page.context().close();
  await lookAtPage(browser, { origin: service.origin, office, path: at }, `import-draft-${width}`);
});

test('renders the imports page accessibly with its templates open', async () => {
  await lookAtPage(browser, { origin: service.origin, office, path: home }, 'imports-templates');
});
