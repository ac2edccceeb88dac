import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLook, moveAccount } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { launchBrowser } from '../harness/browser.ts';
import { mailDesk } from '../harness/builders/payer-mails.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { lookAtPage, openPage } from './look.ts';
import { drawn } from './pictures.ts';

let service: TestService;
let player: Player;
let browser: Browser;
let owner: Office;
let reader: Office;
const home = `/portal/${testAccount}/settings/mails`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  player = playerOf(service);
  owner = await signIn(service, 'owner');
  reader = await signIn(service, 'read_only');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const fine = { kinds: ['request'], days: '3', languages: 'es', coupon: 'link' };
const settings = () => service.service.parts.payerMails.settingsOf(testAccount);
const text = { subject: 'Cuota de {pagador}', body: 'Pagá acá:\n{enlace}' };

test('turns e-mails off by default, and stores an owner’s choice with an event in their name', async () => {
  expect(await settings()).toMatchObject({ request: false, reminder: false, receipt: false });
  const answer = await owner.post(home, { ...fine, kinds: ['request', 'reminder'], days: '5' });
  expect([answer.status, answer.location]).toEqual([303, `${home}?saved=1`]);
  expect(await settings()).toEqual({
    request: true,
    reminder: true,
    receipt: false,
    reminderDays: 5,
    languages: 'es',
    attachesCoupon: false,
  });
  const [event] = await service.sql`
    select type, actor from events where entity = 'account' order by version desc limit 1`;
  expect(event).toEqual({ type: 'account.mails_changed', actor: `user:${owner.userId}` });
});

test.each([
  ['days', { ...fine, days: '0' }],
  ['days', { ...fine, days: '31' }],
  ['days', { ...fine, days: '1e1' }],
  ['languages', { ...fine, languages: 'fr' }],
  ['coupon', { ...fine, coupon: '' }],
])('shows a form with an invalid %s again and changes nothing', async (field, sent) => {
  const before = await settings();
  const answer = await owner.post(home, sent);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`${field}-fault`);
  expect(await settings()).toEqual(before);
});

test('previews a text before it is saved, sends it once saved, and restores the default', async () => {
  const at = `${home}/request/es`;
  const seen = await owner.post(at, { ...text, do: 'preview', request: '' });
  expect([seen.status, seen.text.includes('Cuota de Ana Pérez')]).toEqual([200, true]);
  expect((await owner.get(home)).text).not.toContain('>Propio<');
  await owner.post(home, fine);
  expect((await owner.post(at, text)).location).toBe(`${at}?saved=1`);
  const id = await player.create({ payer_email: 'ana@example.com', payer_name: 'Ñata' });
  const desk = mailDesk(service);
  await desk.work();
  const [mail] = await desk.readOf('ana@example.com');
  const { checkout_url: url } = await player.get(id);
  expect([mail?.subject, mail?.text.startsWith(`Pagá acá:\n${url}\n`)]).toEqual([
    'Cuota de Ñata',
    true,
  ]);
  expect((await owner.get(home)).text).toContain('Propio');
  expect((await owner.post(`${at}/reset`)).status).toBe(303);
  expect((await owner.get(home)).text).not.toContain('>Propio<');
});

test('previews a text for a request with its links, and reports an unknown request at its field', async () => {
  const at = `${home}/request/es`;
  const id = await player.create({ payer_name: 'Zoe Díaz' });
  const seen = await owner.post(at, { ...text, do: 'preview', request: String(id) });
  expect(seen.text).toContain('Cuota de Zoe Díaz');
  expect(seen.text).toContain('/checkout/');
  for (const request of ['999999999', 'x', '0', '-1', '1'.repeat(400)]) {
    const answer = await owner.post(at, { ...text, do: 'preview', request });
    expect([request, answer.status]).toEqual([request, 400]);
    expect(answer.text).toContain('request-fault');
  }
});

test.each([
  ['subject', { ...text, subject: 'x {cbu}' }, '{cbu}'],
  ['subject', { ...text, subject: 'a\nBcc: x@example.com' }, 'una sola línea'],
  ['subject', { ...text, subject: '' }, 'no puede estar en blanco'],
  ['body', { ...text, body: 'sin nada' }, '{enlace}'],
  ['body', { ...text, body: `{enlace} ${'x'.repeat(6_000)}` }, '5000'],
])('refuses a text with an invalid %s, and explains it at its field', async (field, sent, word) => {
  const answer = await owner.post(`${home}/request/es`, sent);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`${field}-fault`);
  expect(answer.text).toContain(word);
});

test('shows markup in texts and values verbatim', async () => {
  const id = await player.create({ payer_name: '<img src=x onerror=alert(1)>' });
  const sent = { subject: '<b>{pagador}</b>', body: '<script>1</script>{enlace}' };
  const answer = await owner.post(`${home}/request/es`, {
    ...sent,
    do: 'preview',
    request: String(id),
  });
  expect(answer.text).not.toMatch(/<script>1|<img src=x|<b>&lt;img/);
  expect(answer.text).toContain('&lt;script>1&lt;/script>');
});

test('shows read-only users the settings and every text, without forms', async () => {
  const page = await reader.get(home);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain(`action="${home}`);
  const one = await reader.get(`${home}/receipt/en`);
  expect([one.status, one.text.includes('We received your payment')]).toEqual([200, true]);
  expect(one.text).not.toContain('<textarea');
  expect((await reader.post(home, fine)).status).toBe(403);
  expect((await owner.get(`${home}/nothing/es`)).status).toBe(404);
  expect((await owner.get(`${home}/request/fr`)).status).toBe(404);
});

const accent = '#8a1c4a';

/** Sets the account's look: its color and a logo. */
async function dressAccount(): Promise<void> {
  const acting = { ...service.service.parts.base, actor: testOperator };
  const logo = { kind: 'png', content: drawn('png', 480, 120), width: 480, height: 120 } as const;
  await changeLook(acting)({ accountId: testAccount, accent, logo });
}

const lettered = (page: Page) => page.frameLocator('iframe.preview');

test('previews the e-mail as it will be sent, before it is saved', async () => {
  await dressAccount();
  const at = `${home}/request/es`;
  const page = await openPage(
    browser,
    { origin: service.origin, office: owner, path: at },
    { javaScriptEnabled: false },
  );
  const refused: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.getByLabel('Texto', { exact: true }).fill('<b>Hola</b> {pagador}:\n\n{enlace}');
  await page.getByRole('button', { name: 'Vista previa' }).click();
  expect(await page.getAttribute('iframe.preview', 'sandbox')).toBe('allow-same-origin');
  const letter = lettered(page);
  await letter.getByText('<b>Hola</b> Ana Pérez:').waitFor();
  const link = letter.getByText(`${service.origin}/checkout/ejemplo`);
  expect(await link.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(138, 28, 74)');
  const logo = await letter.locator('img').boundingBox();
  expect([logo?.width, logo?.height]).toEqual([240, 60]);
  const width = await letter
    .locator('img')
    .evaluate((one) => (one as HTMLImageElement).naturalWidth);
  expect(width).toBeGreaterThan(0);
  const elsewhere = asked.filter((one) => !['null', service.origin].includes(one));
  expect([refused, elsewhere]).toEqual([[], []]);
  await page.context().close();
});

test('allows the e-mail’s own style attributes only on its preview page', async () => {
  await dressAccount();
  const shown = await owner.get(`${home}/request/es`);
  const policy = shown.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/style-src 'self' 'unsafe-hashes'( 'sha256-[\w+/=]{44}'){8};/);
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).toContain("script-src 'self';");
  for (const [office, path] of [
    [owner, home],
    [reader, `${home}/request/es`],
  ] as const) {
    const other = await office.get(path);
    expect(other.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(other.text).not.toContain('<iframe');
  }
});

test('writes, previews and saves a text without scripts', async () => {
  const at = `${home}/reminder/es`;
  const page = await openPage(
    browser,
    { origin: service.origin, office: owner, path: at },
    { javaScriptEnabled: false },
  );
  await page.getByLabel('Asunto').fill('Falta poco: {vencimiento}');
  await page.getByRole('button', { name: 'Vista previa' }).click();
  expect(await page.getByText('Falta poco: ').count()).toBe(1);
  await page.getByRole('button', { name: 'Guardar el texto' }).click();
  await page.getByText('Los cambios están guardados.').waitFor();
  expect(await page.getByLabel('Asunto').inputValue()).toBe('Falta poco: {vencimiento}');
  await page.context().close();
});

test('renders accessible pages in every width and color scheme', async () => {
  const at = { origin: service.origin, office: owner };
  await lookAtPage(browser, { ...at, path: home }, 'mails');
  await lookAtPage(browser, { ...at, path: `${home}/request/es` }, 'mails-text');
  await lookAtPage(browser, { ...at, office: reader, path: `${home}?lang=en` }, 'mails-read');
});

test('shows a closed account’s settings without letting it change them', async () => {
  const acting = { ...service.service.parts.base, actor: testOperator };
  await moveAccount(acting, { accountId: testAccount, move: 'close', reason: 'x' });
  const page = await owner.get(home);
  expect([page.status, page.text.includes(`action="${home}`)]).toEqual([200, false]);
  expect((await owner.post(home, fine)).status).toBe(403);
});
