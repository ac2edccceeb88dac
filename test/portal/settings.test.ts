import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveAccount, readAccount } from '../../src/accounts/index.ts';
import { create, payCard } from '../checkout/payer.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { adhesionBody, signingUrl } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';
import { lookAtPage, openPage } from './look.ts';
import { drawn } from './pictures.ts';

let service: TestService;
let browser: Browser;
let owner: Office;
const home = `/portal/${testAccount}/settings`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web,worker', STRANGER_RATE: '0' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const profile = {
  name: 'Instituto Belgrano',
  legal_name: 'Asociación Educativa Belgrano S.R.L.',
  address: 'San Martín 1234, Rosario',
  email: 'consultas@belgrano.example',
  phone: '0341 423-5000',
  sender: 'Administración Belgrano',
};

/** Sends the appearance form as a browser does. */
const sendLook = (fields: Record<string, string>, logo: Buffer | null, office = owner) =>
  office.send(
    `${home}/appearance`,
    { field: 'logo', name: 'logo.png', content: logo ?? '' },
    fields,
  );

const account = async () => await readAccount(service.sql, testAccount);
const read = async (url: string) => await fetch(new URL(url, service.origin));
const logoIn = (html: string): string => /src="(\/page-assets\/logo\/[^"]+)"/.exec(html)?.[1] ?? '';

test('shows an account’s profile on its checkout, coupon and signing pages', async () => {
  const request = await create(service);
  const before = await read(request.pdfUrl);
  const kept = String(before.headers.get('etag'));
  expect((await owner.post(`${home}/profile`, profile)).location).toBe(`${home}?saved=1`);
  const sent = await sendLook({ accent: '#7a1f5c' }, drawn('png'));
  expect([sent.status, sent.text]).toEqual([303, '']);
  const email = 'ana+nosign@example.com';
  const made = await service.call('POST', '/adhesion', { body: adhesionBody({ email }) });
  const pages = [request.url, signingUrl(service, 'adhesion', made.body.id)];
  for (const url of pages) {
    const html = await (await read(url)).text();
    for (const text of [profile.name, profile.legal_name, profile.address, profile.phone]) {
      expect(html).toContain(text);
    }
    expect(html).not.toContain('style=');
    const logo = await read(logoIn(html));
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
    expect(logo.headers.get('cache-control')).toContain('immutable');
    const [, sheet = ''] = /href="(\/page-assets\/accent\/[^"]+)"/.exec(html) ?? [];
    const css = await read(sheet);
    expect(css.headers.get('content-type')).toContain('text/css');
    expect(await css.text()).toContain('--accent:#7a1f5c');
  }
  const again = await fetch(request.pdfUrl, { headers: { 'if-none-match': kept } });
  expect(again.status).toBe(200);
  const [page] = await readPdf(Buffer.from(await again.arrayBuffer()));
  expect(page?.text.replaceAll('\n', ' ')).toContain('Asociación Educativa Belgrano');
  const now = await fetch(request.pdfUrl, {
    headers: { 'if-none-match': String(again.headers.get('etag')) },
  });
  expect(now.status).toBe(304);
});

test('prints the account’s logo on a payment’s receipt, identically each time', async () => {
  const request = await create(service);
  await payCard(service.origin, request.path);
  const receipt = async (): Promise<Buffer> =>
    Buffer.from(await (await read(`${request.path}/receipt.pdf`)).arrayBuffer());
  const pdf = await receipt();
  expect(pdf.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1);
  const [page] = await readPdf(pdf);
  expect(page?.text).toContain(profile.name);
  expect(await receipt()).toEqual(pdf);
});

test('applies the account’s color in browsers, on accessible payer pages', async () => {
  const request = await create(service);
  const at = { origin: service.origin, office: owner, path: request.path };
  const page = await openPage(browser, at, { colorScheme: 'light' });
  const link = page.locator('a.language');
  const color = await link.evaluate((one) => getComputedStyle(one).color);
  expect(color).toBe('rgb(122, 31, 92)');
  const shown = await page.locator('img.logo').evaluate((one) => {
    const image = one as HTMLImageElement;
    return [image.complete, image.naturalWidth];
  });
  expect(shown).toEqual([true, 240]);
  await page.context().close();
  await lookAtPage(browser, at, 'settings-checkout');
  const email = 'eva+nosign@example.com';
  const made = await service.call('POST', '/adhesion', { body: adhesionBody({ email }) });
  const { pathname } = new URL(signingUrl(service, 'adhesion', made.body.id));
  await lookAtPage(browser, { ...at, path: pathname }, 'settings-signing');
}, 120_000);

test('sends only payers’ e-mails in the account’s name, with replies going to it', async () => {
  const email = 'leo+nosign@example.com';
  await service.call('POST', '/adhesion', { body: adhesionBody({ email }) });
  const folder = path.join(service.config.DATA_DIR, 'mail');
  const letterTo = async (recipient: string): Promise<string> => {
    const files = await readdir(folder).catch(() => []);
    const texts = await Promise.all(
      files.map((one) => readFile(path.join(folder, one), 'utf8').catch(() => '')),
    );
    return texts.find((text) => text.includes(`To: ${recipient}`)) ?? '';
  };
  await expect.poll(() => letterTo(email), { timeout: 20_000 }).toContain('Reply-To: consultas@');
  const letter = await letterTo(email);
  expect(letter).toMatch(/^From: .*Administraci/m);
  expect(letter).toContain('0341 423-5000');
  // The HTML part with the logo accompanies the unchanged text.
  expect(letter).toMatch(/^Content-Type: text\/plain/m);
  expect(letter).toMatch(/^Content-Type: text\/html/m);
  expect(letter).toMatch(/^Content-Id: <logo@letter>/im);
  const invited = { name: 'Nueva', email: 'nueva-carta@example.com', role: 'treasury' };
  await owner.post(`${home}/users/new`, invited);
  await expect.poll(() => letterTo(invited.email), { timeout: 20_000 }).toContain('To: ');
  const other = await letterTo(invited.email);
  expect(other).not.toContain('Reply-To');
  expect(other).not.toContain('text/html');
  expect(other).not.toMatch(/^From: .*Belgrano/m);
});

test('reports invalid values at their fields, and stores nothing of the form', async () => {
  const before = await account();
  const wrong: [string, string][] = [
    ['name', ' '],
    ['name', 'x'.repeat(101)],
    ['name', 'a\u202eb'],
    ['legal_name', 'x'.repeat(101)],
    ['address', 'Calle 1\nCalle 2'],
    ['email', 'nobody'],
    ['phone', '<script>'],
    ['sender', 'Banco <x@y>'],
    ['sender', 'a\r\nBcc: x'],
  ];
  for (const [field, value] of wrong) {
    const answer = await owner.post(`${home}/profile`, { ...profile, phone: '1', [field]: value });
    expect([field, answer.status]).toEqual([field, 400]);
    expect(answer.text).toContain(`href="#${field}"`);
  }
  expect(await account()).toEqual(before);
});

test('refuses an invalid or illegible color, and names its contrast and the nearest legible color', async () => {
  const before = await account();
  const pale = await sendLook({ accent: '#ffcc00' }, drawn('jpeg'));
  expect(pale.status).toBe(400);
  expect(pale.text).toMatch(/contraste con el fondo claro es de 1,[34] a 1, .* 4,5 a 1/);
  const [, nearest = ''] = /más parecido que alcanza: (#[0-9a-f]{6})/.exec(pale.text) ?? [];
  for (const accent of ['rojo', '#12', '#0b6b5d}*{display:none']) {
    const answer = await sendLook({ accent }, null);
    expect([accent, answer.status]).toEqual([accent, 400]);
  }
  expect(await account()).toEqual(before);
  expect((await sendLook({ accent: nearest }, null)).status).toBe(303);
  expect((await account())?.look.accent).toBe(nearest);
  for (const file of ['x', `00000000-ffcc00.css`, `../../x.css`]) {
    expect((await read(`/page-assets/accent/${encodeURIComponent(file)}`)).status).toBe(404);
  }
});

test('explains why a logo is rejected (type, damage or size), and keeps the previous one', async () => {
  const before = await account();
  const bad: [Buffer, string][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'Es un SVG'],
    [Buffer.from('<!doctype html><script>alert(1)</script>'), 'Es un SVG o una página'],
    [Buffer.from('MZ program'), 'No es un PNG ni un JPEG'],
    [drawn('png').subarray(0, 200), 'dañada o incompleta'],
    [Buffer.concat([drawn('png'), Buffer.alloc(300_000)]), 'más de 256 KB'],
    [drawn('png', 1200, 20), 'de 16 a 1000 píxeles'],
  ];
  for (const [bytes, text] of bad) {
    const answer = await sendLook({ accent: '#7a1f5c' }, bytes);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)]);
  }
  expect((await sendLook({}, Buffer.alloc(17 * 1024 * 1024))).status).toBe(413);
  expect(await account()).toEqual(before);
});

test('replaces and removes a logo, and stores only the current and the previous one', async () => {
  for (const size of [40, 48, 56]) {
    expect((await sendLook({ accent: '#7a1f5c' }, drawn('jpeg', size, size))).status).toBe(303);
  }
  const count = async () => {
    const [row] = await service.sql<{ count: number }[]>`
      select count(*)::int as count from account_logos where account_id = ${testAccount}`;
    return row?.count;
  };
  expect([await count(), (await account())?.look.logo?.width]).toEqual([2, 56]);
  const other = await anotherAccount(service);
  const own = logoIn((await owner.get(home)).text);
  expect((await read(own)).headers.get('content-type')).toBe('image/jpeg');
  expect((await read(own.replace(testAccount, other.id))).status).toBe(404);
  expect((await sendLook({ accent: '', remove: 'logo' }, null)).status).toBe(303);
  expect((await account())?.look).not.toHaveProperty('logo');
  expect((await account())?.look).not.toHaveProperty('accent');
});

test('writes one event per change, with actor and former values, and none without a change', async () => {
  const events = () => service.sql<{ actor: string; data: { name_before: string } }[]>`
    select actor, data from events
    where account_id = ${testAccount} and type = 'account.look_changed' order by id desc`;
  const before = (await events()).length;
  const changed = { ...profile, name: 'Instituto Nuevo' };
  await owner.post(`${home}/profile`, changed);
  await owner.post(`${home}/profile`, changed);
  const after = await events();
  expect(after).toHaveLength(before + 1);
  expect(after[0]?.actor).toBe(`user:${owner.userId}`);
  expect(after[0]?.data.name_before).toBe(profile.name);
});

test('shows settings to read-only users, and lets administrators change them without scripts', async () => {
  await sendLook({ accent: '#1d4f91' }, drawn('png'));
  const reader = await signIn(service, 'read_only');
  expect((await reader.get(home)).text).not.toContain('/settings/profile');
  const office = await signIn(service, 'administrator');
  const page = await openPage(
    browser,
    { origin: service.origin, office, path: home },
    { javaScriptEnabled: false },
  );
  await page.getByRole('link', { name: 'Cambiar Datos de la cuenta' }).click();
  await page.getByLabel('Domicilio').fill('Mitre 1, Salta');
  await page.getByRole('button', { name: 'Guardar' }).click();
  expect(await page.textContent('main')).toContain('Mitre 1, Salta');
  expect(await page.textContent('[role=status]')).toContain('quedaron guardados');
  await page.context().close();
  const english = await owner.get(`${home}?lang=en`);
  expect(english.text).toContain('Registered name');
});

test('renders accessible pages', async () => {
  const at = { origin: service.origin, office: owner };
  await lookAtPage(browser, { ...at, path: home }, 'settings');
  await lookAtPage(browser, { ...at, path: `${home}/profile` }, 'settings-profile');
  await lookAtPage(browser, { ...at, path: `${home}/appearance` }, 'settings-appearance');
}, 120_000);

test('shows a closed account’s settings and changes nothing', async () => {
  const { id } = await anotherAccount(service);
  const office = await signIn(service, 'owner', { accountId: id });
  const acting = { ...service.service.parts.base, actor: testOperator };
  await moveAccount(acting, { accountId: id, move: 'close', reason: 'x' });
  const own = `/portal/${id}/settings`;
  expect((await office.get(own)).status).toBe(200);
  expect((await office.get(own)).text).not.toContain('/settings/profile');
  expect((await office.post(`${own}/profile`, profile)).status).toBe(403);
});
