import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import type { Office } from '../harness/portal.ts';
import { type Furnished, type FurnishedPage, furnish, isFile } from './furnished.ts';
import { readyKeyboard, toTop, walk } from './keyboard.ts';
import { englishIn, formsOn, sendWith } from './refusing.ts';
import { actRoutes } from './routes.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

let furnished: Furnished;
let browser: Browser;
const widths = [360, 1280];

beforeAll(async () => {
  furnished = await furnish();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await furnished?.stop();
});

async function contextOf(office: Office, options = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  const [name = '', value = ''] = office.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: furnished.service.origin }]);
  return context;
}

/** Each page in one browser of whom it is shown to; answers what is found, by page. */
async function onEachPage(
  look: (page: Page, one: FurnishedPage) => Promise<string[]>,
  options = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const office of [furnished.owner, furnished.operator]) {
    const context = await contextOf(office, options);
    const page = await context.newPage();
    await readyKeyboard(page);
    for (const one of furnished.pages.filter((each) => each.office === office)) {
      await page.goto(furnished.service.origin + one.path);
      found.push(...(await look(page, one)).map((fault) => `${one.path}: ${fault}`));
    }
    await context.close();
  }
  return found;
}

const questions = 'a[data-dialog]';
const hrefsOf = (links: Element[]) => links.map((one) => one.getAttribute('href') ?? '');

/** Opens a question of a page and leaves it, without a mouse; answers what is wrong. */
async function answersByKeyboard(page: Page, no: number): Promise<string[]> {
  const faults: string[] = [];
  const link = page.locator(questions).nth(no);
  await link.evaluate((one: HTMLElement) => {
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (at.localName === 'details') at.setAttribute('open', '');
    }
    one.focus();
  });
  for (const way of ['Escape', 'Enter']) {
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog');
    await dialog.waitFor({ timeout: 5_000 });
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press(press < 6 ? 'Tab' : 'Shift+Tab');
      const within = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog'),
      );
      if (!within) faults.push('lets the keyboard go');
    }
    if (way === 'Enter') await page.locator('dialog [data-dialog-close]').focus();
    await page.keyboard.press(way);
    await dialog.waitFor({ state: 'detached', timeout: 5_000 });
    if (!(await link.evaluate((one) => one === document.activeElement))) {
      faults.push(`keeps the keyboard after ${way}`);
    }
  }
  return faults;
}

test('every page that is declared is one of those that are walked', () => {
  const walked = new Set(furnished.pages.map(({ route }) => route));
  const declared = actRoutes().filter(({ method, path }) => method === 'GET' && !isFile(path));
  expect(declared.map(({ path }) => path).filter((path) => !walked.has(path))).toEqual([]);
  expect(declared.length).toBeGreaterThan(70);
});

test('a question opens above its page, holds the keyboard, and gives it back', async () => {
  const asked = new Set<string>();
  const found = await onEachPage(async (page) => {
    const faults: string[] = [];
    for (const [no, href] of (await page.$$eval(questions, hrefsOf)).entries()) {
      const kind = href.replace(/\d+/g, '1');
      if (asked.has(kind)) continue;
      asked.add(kind);
      faults.push(...(await answersByKeyboard(page, no)).map((fault) => `${href} ${fault}`));
    }
    return faults;
  });
  expect(found).toEqual([]);
  expect(asked.size).toBeGreaterThan(5);
});

test.each(widths)(
  'at %i px the keyboard comes to everything, in order, seen, and goes on',
  async (width) => {
    const found = await onEachPage(
      async (page) => {
        const there = await walk(page, 'Tab', { open: true });
        const faults = [...there.faults];
        if (!there.walked[0]?.includes('Saltar al contenido')) faults.push('begins elsewhere');
        // What opened above the page has closed behind whoever left it.
        const left = there.walked.filter((name) => there.all.includes(name));
        if (left.join('\n') !== there.all.join('\n')) {
          const missing = there.all.filter((name) => !there.walked.includes(name));
          faults.push(`order: missing ${missing}; walked ${there.walked}; all ${there.all}`);
        }
        if (width !== 360) return faults;
        await toTop(page);
        const back = await walk(page, 'Shift+Tab');
        const turned = back.all.toReversed();
        const met = back.walked.filter((name) => back.all.includes(name));
        if (met.join('\n') !== turned.join('\n')) {
          faults.push(`backwards: ${back.walked} for ${turned}`);
        }
        return [...faults, ...back.faults.map((fault) => `backwards ${fault}`)];
      },
      { viewport: { width, height: 740 } },
    );
    expect(found).toEqual([]);
  },
);

/** What only scripts make work, and is seen all the same. */
const inertOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dead = [
      '[data-copy]',
      '[data-upload-drop]',
      'button[type=button]',
      'a:not([href])',
      'a[href="#"]',
      'button:not(form button)',
      'form:not([method])',
    ].join(',');
    return [...document.querySelectorAll(dead)]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => one.outerHTML.slice(0, 120));
  });

test('without scripts nothing is shown that needs them, and no page has English on it', async () => {
  const found = await onEachPage(
    async (page) => {
      const inert = await inertOn(page);
      return [...inert, ...englishIn(await page.content())];
    },
    { javaScriptEnabled: false },
  );
  expect(found).toEqual([]);
});

test('a form that is filled in badly, or sent twice, says why in Spanish', async () => {
  const found: string[] = [];
  const questions: (() => Promise<void>)[] = [];
  await onEachPage(
    async (page, { office, path }) => {
      if (path.startsWith('/portal/me') || path === '/portal/confirm') return [];
      for (const form of await formsOn(page)) {
        const send = async (typed: string): Promise<void> => {
          const { status, text } = await sendWith(office, form, typed);
          const said = [...englishIn(text), ...(status >= 500 ? [String(status)] : [])];
          found.push(...said.map((line) => `${form.action} of ${typed || 'nothing'}: ${line}`));
        };
        // What is asked once is answered last, and once more.
        if (!form.files && !form.fields.some(({ typed }) => typed)) {
          questions.push(
            () => send(''),
            () => send(''),
          );
        } else for (const typed of ['', '\u202ex;y', '-1']) await send(typed);
      }
      return [];
    },
    { javaScriptEnabled: false },
  );
  for (const ask of questions) await ask();
  expect(found).toEqual([]);
});
