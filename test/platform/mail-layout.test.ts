import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmailHead, emailPage, logoId } from '../../src/platform/mail/layout.ts';
import { looks, violationsOn } from '../harness/accessible.ts';
import { launchBrowser } from '../harness/browser.ts';
import { drawn } from '../portal/pictures.ts';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const origin = 'https://pagos.example';
const content = drawn('png', 960, 240);
const head: EmailHead = {
  sender: 'Cooperativa "Luz & Fuerza"',
  replyTo: null,
  foot: ['Mitre 1430, Rosario', '0341 423-5000'],
  accent: '#8a1c4a',
  logo: { contentType: 'image/png', content, width: 960, height: 240 },
};
const body = `Hola, Ana <script>document.title = 'x'</script>:

Podés pagarlo en ${origin}/checkout/A1B2C3D4-1-1-abc_d-. Otra página:
https://pagos.example.evil.com/checkout y "${origin}"

${origin}/coupon/A1B2C3D4-1-1-abc.pdf
`;

/** Opens the e-mail in a browser, with the attached logo inlined. */
async function open(letter: EmailHead, look = looks[0]) {
  const page = await browser.newPage(look);
  const logo = `data:image/png;base64,${content.toString('base64')}`;
  await page.setContent(emailPage(body, letter, { origin }).replace(`cid:${logoId}`, logo));
  return page;
}

test('escapes foreign input, and links only the service’s addresses, without trailing characters', async () => {
  const page = await open(head);
  expect(await page.title()).toBe('');
  const words = (await page.textContent('body')) ?? '';
  expect(words).toContain("Hola, Ana <script>document.title = 'x'</script>:");
  expect(words).toContain('Mitre 1430, Rosario');
  const links = await page.$$eval('a', (all) => all.map((one) => one.getAttribute('href')));
  expect(links).toEqual([
    `${origin}/checkout/A1B2C3D4-1-1-abc_d-`,
    `${origin}/coupon/A1B2C3D4-1-1-abc.pdf`,
  ]);
  await page.close();
});

const offer = (words: string, label: string) =>
  `${words}\n\n${label}:\n${origin}/checkout/A-1\n\nCupón:\n${origin}/coupon/A-1.pdf`;
const foot = `—\nPara no recibir más correos:\n${origin}/unsubscribe/A-1`;

test('shows the first address of each text as a button, and the unsubscribe link small', async () => {
  const both = `${offer('Hola:', 'Pagar en línea')}\n\n—\n${offer('Hello:', 'Pay online')}\n\n${foot}\n`;
  const page = await browser.newPage();
  await page.setContent(emailPage(both, { ...head, logo: null }, { origin }));
  const links = await page.$$eval('a', (all) =>
    all.map((one) => [one.textContent, getComputedStyle(one).display]),
  );
  expect(links).toEqual([
    ['Pagar en línea', 'inline-block'],
    [`${origin}/coupon/A-1.pdf`, 'inline'],
    ['Pay online', 'inline-block'],
    [`${origin}/coupon/A-1.pdf`, 'inline'],
    [`${origin}/unsubscribe/A-1`, 'inline'],
  ]);
  const sizes = await page.$$eval('p', (all) => all.map((one) => getComputedStyle(one).fontSize));
  expect(sizes.filter((size) => size === '13px')).toHaveLength(1);
  await page.close();
});

test.each([
  `Pagar:\n${origin}.evil.example/checkout/A-1`,
  `Pagar:\nhttps://evil.example/?${origin}/checkout/A-1`,
  `Pagar:\n${origin}/checkout/A-1 y algo más`,
  `${'Un texto largo '.repeat(5)}:\n${origin}/checkout/A-1`,
  `Pagar\n${origin}/checkout/A-1`,
])('shows no button for %j', (text) => {
  expect(emailPage(text, head, { origin })).not.toContain('inline-block');
});

test('scales a logo to fit the header, and shows the name without one', async () => {
  const page = await open(head);
  const box = await page.locator('img').boundingBox();
  expect([box?.width, box?.height]).toEqual([240, 60]);
  expect(await page.getAttribute('img', 'alt')).toBe('Cooperativa "Luz & Fuerza"');
  await page.close();
  const bare = await open({ ...head, logo: null, accent: null });
  expect(await bare.locator('img').count()).toBe(0);
  expect(await bare.textContent('p')).toBe('Cooperativa "Luz & Fuerza"');
  await bare.close();
});

test.each(looks)('renders accessible e-mails: $colorScheme $viewport.width', async (look) => {
  const page = await open(head, look);
  const folder = process.env.PICTURES;
  if (folder) {
    const name = `letter-${look.viewport.width}-${look.colorScheme}`;
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(sideways).toBe(look.viewport.width);
  // The mail reader provides landmarks, title and language.
  const found = await violationsOn(page);
  const ofPages =
    /^(?:document-title|html-has-lang|landmark-one-main|page-has-heading-one|region):/;
  expect(found.filter((one) => !ofPages.test(one))).toEqual([]);
  await page.close();
});
