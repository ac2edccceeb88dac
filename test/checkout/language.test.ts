import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startService, type TestService } from '../harness/service.ts';
import {
  type Created,
  create,
  debinForm,
  fillCard,
  heading,
  isPage,
  open,
  openChannel,
  post,
  read,
  submit,
  tab,
  tablesWith,
  titleOf,
  tokenForm,
  visa,
} from './payer.ts';

let service: TestService;
let browser: Browser;
let request: Created;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
});
beforeEach(async () => {
  request = await create(service);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const headings = {
  es: 'Pagar a Cooperativa de Demostración',
  en: 'Pay Cooperativa de Demostración',
};
const addressIn = ({ url }: Created, lang: 'es' | 'en') => (lang === 'es' ? url : `${url}?lang=en`);

/** Presses the language button, which replaces the link if scripts are off. */
const changeLanguage = async (page: Page, channel: string): Promise<void> => {
  expect(await page.isVisible('a.language')).toBe(false);
  const button = page.locator(`#channel-${channel} .language-kept`);
  await Promise.all([page.waitForEvent('load'), button.click()]);
};

describe.each([
  ['es', 'en'],
  ['en', 'es'],
] as const)('without scripts, from %s to %s', (from, to) => {
  test.each(['credit_card', 'debit_card'] as const)(
    'switches the language of a %s form without losing the card or input, and pays',
    async (channel) => {
      const page = await tab(browser, false);
      await page.goto(addressIn(request, from));
      expect(await heading(page)).toBe(headings[from]);
      await fillCard(page, { number: visaOf(channel), channel, expiry: '0830' });
      const kept = async () => [
        await page.inputValue(`#${channel}-holder_email`),
        await page.inputValue(`#channel-${channel} [name=last_four]`),
        channel === 'credit_card' && (await page.inputValue(`#${channel}-installments`)),
      ];
      const before = await kept();
      for (const lang of [to, from, to]) {
        // Switching back keeps the values too.
        await changeLanguage(page, channel);
        expect(await heading(page)).toBe(headings[lang]);
        expect(await page.isVisible('.faults')).toBe(false);
        expect(await kept()).toEqual(before);
      }
      expect((await read(service, request)).request_result).toEqual([]);
      await submit(page, channel);
      expect(await heading(page)).toBe({ es: 'Pago aprobado', en: 'Payment approved' }[to]);
      await page.close();
    },
  );

  test('keeps a DEBIN form open with its input when the language changes, and pays', async () => {
    const page = await tab(browser, false);
    await page.goto(addressIn(request, from));
    await openChannel(page, 'DEBIN');
    await page.fill('#DEBIN-account', 'mi.alias.banco');
    await page.fill('#DEBIN-holder_cuit', '20-1"<b>');
    await changeLanguage(page, 'DEBIN');
    expect(await heading(page)).toBe(headings[to]);
    expect(await page.inputValue('#DEBIN-account')).toBe('mi.alias.banco');
    expect(await page.inputValue('#DEBIN-holder_cuit')).toBe('20-1"<b>');
    expect(await page.isVisible('#DEBIN-account')).toBe(true);
    await page.fill('#DEBIN-holder_cuit', '20-12345678-6');
    await submit(page, 'DEBIN');
    expect(await heading(page)).toBe({ es: 'Pago aprobado', en: 'Payment approved' }[to]);
    await page.close();
  });

  test('pays with Enter in a field, without changing the language', async () => {
    const page = await tab(browser, false);
    await page.goto(addressIn(request, from));
    await openChannel(page, 'DEBIN');
    await page.fill('#DEBIN-account', 'mi.alias.banco');
    await page.fill('#DEBIN-holder_cuit', '20-12345678-6');
    await Promise.all([page.waitForEvent('load'), page.press('#DEBIN-holder_cuit', 'Enter')]);
    expect(await heading(page)).toBe({ es: 'Pago aprobado', en: 'Payment approved' }[from]);
    await page.close();
  });

  test('switches the language with the link in a channel without a form', async () => {
    const page = await tab(browser, false);
    await page.goto(addressIn(request, from));
    await openChannel(page, 'non_banking');
    expect(await page.locator('.language-kept >> visible=true').count()).toBe(0);
    await page.click('a.language');
    expect(await heading(page)).toBe(headings[to]);
    await page.close();
  });
});

const visaOf = (channel: 'credit_card' | 'debit_card') =>
  channel === 'credit_card' ? visa : '4517721004856075';

test('offers the language link with scripts, and hides the forms’ language buttons', async () => {
  const page = await tab(browser, true);
  await page.goto(request.url);
  expect(await page.isVisible('a.language')).toBe(true);
  for (const channel of ['credit_card', 'debit_card', 'DEBIN']) {
    await openChannel(page, channel);
    expect(await page.isVisible(`#channel-${channel} .language-kept`)).toBe(false);
  }
  await page.close();
});

describe('a form that only changes the language', () => {
  const path = () => `${request.path}/language`;

  test('charges and stores nothing when a form only changes the language', async () => {
    const marked = { ...tokenForm, card_holder_name: 'Zoë Nowhere-Stored', lang: 'es', to: 'en' };
    const answer = await post(service.origin, path(), marked);
    expect(answer.status).toBe(200);
    isPage(answer);
    expect(titleOf(answer.html)).toBe(headings.en);
    expect(answer.html).toContain('value="Zoë Nowhere-Stored"');
    expect(answer.html).not.toContain('class="faults"');
    expect(await tablesWith(service, 'Zoë Nowhere-Stored')).toEqual([]);
    const { state, request_result: results } = await read(service, request);
    expect([state, results]).toEqual(['pending', []]);
    const attempts = await service.sql`select 1 from attempts where request_id = ${request.id}`;
    expect(attempts).toHaveLength(0);
  });

  test('shows the state of a request that is no longer payable', async () => {
    expect((await post(service.origin, request.path, debinForm)).status).toBe(303);
    const answer = await post(service.origin, path(), { ...tokenForm, to: 'en' });
    expect([answer.status, titleOf(answer.html)]).toEqual([200, 'This request is already paid']);
    expect((await read(service, request)).request_result).toHaveLength(1);
  });

  test.each([
    ['a missing channel', { to: 'en' }, 400],
    ['an unknown channel', { channel: 'bitcoin', to: 'en' }, 400],
    ['a form that is too large', { ...debinForm, account: 'a'.repeat(70_000), to: 'en' }, 413],
  ] as const)('reports %s on a page', async (_what, fields, status) => {
    const answer = await post(service.origin, path(), fields);
    expect(answer.status).toBe(status);
    isPage(answer);
  });

  test('redirects a reload to the request, and answers 404 for another token', async () => {
    const again = await open(service.origin, `${path()}?lang=en`);
    expect([again.status, again.headers.get('location')]).toEqual([303, `${request.path}?lang=en`]);
    const wrong = await post(service.origin, '/checkout/x/language', { ...debinForm, to: 'en' });
    expect([wrong.status, titleOf(wrong.html)]).toEqual([404, 'We could not find this request']);
  });
});

test('counts language changes and checks of forms toward the rate limit of a link', async () => {
  const bounded = await startService({
    DATABASE_URL: service.databaseUrl,
    ROLES: 'payments,web',
    LINK_RATE: '1',
  });
  const { wall } = bounded.service.parts.clocks;
  const stopped = wall.nowMs();
  vi.spyOn(wall, 'nowMs').mockImplementation(() => stopped);
  try {
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth += 1) {
      const path = `${request.path}${nth % 2 === 0 ? '/language' : '/check'}`;
      statuses.push((await post(bounded.origin, path, { ...debinForm, to: 'en' })).status);
    }
    // The burst of ten covers all calls with one link.
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect(statuses.slice(0, 10)).not.toContain(429);
  } finally {
    vi.restoreAllMocks();
    await bounded.stop();
  }
});
