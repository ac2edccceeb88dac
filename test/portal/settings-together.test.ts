import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '../../src/accounts/index.ts';
import { formVersion } from '../../src/platform/form-version.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Fields, type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let first: Office;
let second: Office;
const home = `/portal/${testAccount}/settings`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', STRANGER_RATE: '0' });
  browser = await launchBrowser();
  first = await signIn(service, 'owner');
  second = await signIn(service, 'administrator');
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** Returns the version from which the form at an address was rendered. */
const seenAt = async (path: string, office = first): Promise<string> => {
  const { text } = await office.get(path);
  return /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';
};

const filePost = (office: Office, path: string, fields: Fields): Promise<Shown> => {
  const typed = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const none = { field: 'logo', name: '', content: '' };
  return office.send(path, none, Object.fromEntries(typed));
};

const post = (office: Office, path: string, fields: Fields) => office.post(path, fields);
const profile = { name: 'Cooperativa', address: 'Mitre 1', phone: '0341 4235000' };
const mails = { kinds: ['request'], days: '3', languages: 'es', coupon: 'link' };
const text = { subject: 'Cuota', body: 'Pagá acá: {enlace}' };

const forms: [string, Fields, Fields, string, typeof post][] = [
  ['profile', profile, { ...profile, address: 'Belgrano 2' }, 'Mitre 1', post],
  ['appearance', { accent: '#0b6b5d' }, { accent: '#7a1f5c' }, '#0b6b5d', filePost],
  ['mails', mails, { ...mails, days: '9' }, 'Aviso de cobro', post],
  ['mails/request/es', text, { ...text, subject: 'Otra' }, 'Pagá acá: {enlace}', post],
];

test.each(forms)(
  'shows concurrent changes of %s to the second user, and keeps the input',
  async (path, mine, theirs, told, send) => {
    const at = `${home}/${path}`;
    const seen = await seenAt(at);
    const answers = await Promise.all([
      send(first, at, { ...mine, seen }),
      send(second, at, { ...theirs, seen }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const again = await seenAt(at);
    expect((await send(first, at, { ...mine, seen: again })).status).toBe(303);
    await send(second, at, { ...theirs, seen: await seenAt(at) });
    await send(first, at, { ...mine, seen: await seenAt(at) });
    const late = await send(second, at, { ...theirs, seen });
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('Esto cambió mientras lo editabas'),
    ]);
    expect(late.text).toContain(told);
    for (const value of Object.values(theirs).flat()) expect(late.text).toContain(value);
    // The editor has seen the new values, so this change is saved.
    const fresh = /name="seen" value="([^"]+)"/.exec(late.text)?.[1] ?? '';
    expect((await send(second, at, { ...theirs, seen: fresh })).status).toBe(303);
  },
);

test('accepts a form sent twice, and a concurrent change to another form', async () => {
  const at = `${home}/profile`;
  const seen = await seenAt(at);
  const sent = { ...profile, address: 'San Luis 3', seen };
  const twice = await Promise.all([first.post(at, sent), first.post(at, sent)]);
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  const color = await seenAt(`${home}/appearance`);
  await first.post(at, { ...profile, address: 'San Juan 4', seen: await seenAt(at) });
  const other = await filePost(second, `${home}/appearance`, { accent: '#10508c', seen: color });
  expect(other.status).toBe(303);
  expect((await readAccount(service.sql, testAccount))?.look).toMatchObject({
    address: 'San Juan 4',
    accent: '#10508c',
  });
});

test('refuses to reset a text that was changed in the meantime', async () => {
  const at = `${home}/mails/reminder/es`;
  await first.post(at, { ...text, seen: await seenAt(at) });
  const seen = await seenAt(at);
  await first.post(at, { ...text, subject: 'Mejor así', seen });
  const reset = await second.post(`${at}/reset`, { seen });
  expect([reset.status, reset.text]).toEqual([409, expect.stringContaining('Mejor así')]);
  expect((await second.post(`${at}/reset`, { seen: await seenAt(at) })).status).toBe(303);
});

test('refuses a choice of notices from an outdated page, and shows the stored one', async () => {
  const at = `${home}/notifications`;
  const seen = await seenAt(at);
  expect((await first.post(at, { topics: ['payouts'], seen })).status).toBe(303);
  const late = await first.post(at, { topics: ['summary'], seen });
  expect([late.status, late.text]).toEqual([
    409,
    expect.stringContaining('Pagos a tu cuenta bancaria'),
  ]);
  const { digests } = service.service.parts;
  expect(await digests.wishes(testAccount, first.userId)).toEqual(['payouts']);
});

test.each(['x', ':', 'name:', 'name:x phone', 'a:b:c', '__proto__:x'])(
  'accepts or refuses a form with a forged version, without a server error: %s',
  async (seen) => {
    const at = `${home}/profile`;
    const { status } = await first.post(at, { ...profile, address: `Forja ${seen}`, seen });
    expect([303, 409]).toContain(status);
  },
);

test('keeps a form’s values out of its version', () => {
  expect(formVersion({ name: 'Cooperativa' })).toMatch(/^name:[\w-]{12}$/);
});

test('shows the input below the other user’s change, without scripts', async () => {
  const at = `${home}/profile`;
  const where = { origin: service.origin, office: first, path: at };
  const page = await openPage(browser, where, { javaScriptEnabled: false });
  await page.getByLabel('Domicilio').fill('Mendoza 5');
  await second.post(at, { ...profile, address: 'Tucumán 6', seen: await seenAt(at, second) });
  await page.getByRole('button', { name: 'Guardar' }).click();
  expect(await page.textContent('[role=alert]')).toContain('Tucumán 6');
  expect(await page.getByLabel('Domicilio').inputValue()).toBe('Mendoza 5');
  if (process.env.PICTURES) {
    await page.screenshot({ path: `${process.env.PICTURES}/overtaken.png`, fullPage: true });
  }
  await page.getByRole('button', { name: 'Guardar' }).click();
  expect((await readAccount(service.sql, testAccount))?.look.address).toBe('Mendoza 5');
  await page.context().close();
});
