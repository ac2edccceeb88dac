import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import {
  type Furnished,
  type FurnishedPage,
  furnish,
  isFile,
  type Room,
  roomOf,
} from './furnished.ts';
import { focusEach, kindsOn, readyKeyboard, skipLink, toTop, walk } from './keyboard.ts';
import { englishIn, formsIn, sendWith } from './refusing.ts';
import { actRoutes } from './routes.ts';

const widths = [360, 1280] as const;

const questions = 'a[data-dialog]';
const hrefsOf = (links: Element[]) => links.map((one) => one.getAttribute('href') ?? '');

/** Opens a page's confirmation and leaves it by keyboard. Returns the faults. */
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

/** Tabs through a page and everything that it opens, and backwards too at the narrow width. */
async function walkThrough(page: Page, width: number): Promise<string[]> {
  const there = await walk(page, 'Tab', { open: true });
  const faults = [...there.faults];
  if (!there.walked[0]?.includes(skipLink)) faults.push('begins elsewhere');
  // Ignores popovers, which close when they lose focus.
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
  if (met.join('\n') !== turned.join('\n')) faults.push(`backwards: ${back.walked} for ${turned}`);
  return [...faults, ...back.faults.map((fault) => `backwards ${fault}`)];
}

/** Faults of the pages for people who use only the keyboard. */
interface Found {
  /** Faults by width. */
  keyboard: Record<number, string[]>;
  questions: string[];
  /** Kinds of confirmations that were opened. */
  asked: Set<string>;
  /** Pages that were walked by keyboard. */
  walked: number;
}

/**
 * Creates a visitor that opens each page once. It walks a page by keyboard if the page has a new
 * kind of tab stop. Otherwise it focuses each stop directly. It opens one confirmation of each
 * kind.
 */
function createVisit() {
  const known = new Set<string>();
  const found: Found = {
    keyboard: Object.fromEntries(widths.map((width) => [width, []])),
    questions: [],
    asked: new Set(),
    walked: 0,
  };
  const ask = async (page: Page): Promise<string[]> => {
    const faults: string[] = [];
    for (const [no, href] of (await page.$$eval(questions, hrefsOf)).entries()) {
      const kind = href.replace(/\d+/g, '1');
      if (found.asked.has(kind)) continue;
      found.asked.add(kind);
      faults.push(...(await answersByKeyboard(page, no)).map((fault) => `${href} ${fault}`));
    }
    return faults;
  };
  const visit = async (page: Page, { path }: FurnishedPage): Promise<void> => {
    const named = (faults: string[]) => faults.map((fault) => `${path}: ${fault}`);
    const kinds = await kindsOn(page);
    const isNew = kinds.some((kind) => !known.has(kind));
    for (const kind of kinds) known.add(kind);
    if (isNew) found.walked += 1;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 740 });
      // A keyboard walk leaves everything open.
      if (isNew && width !== 360) await page.reload();
      else await toTop(page);
      const faults = isNew ? await walkThrough(page, width) : await focusEach(page);
      found.keyboard[width]?.push(...named(faults));
    }
    found.questions.push(...named(await ask(page)));
  };
  return { found, visit };
}

/** Returns visible elements that do nothing without scripts. */
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

/** Declares the tests of all pages of a room. */
export function testEveryPage(room: Room): void {
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

  let furnished: Furnished;
  let browser: Browser;
  const { found, visit } = createVisit();

  /** Opens each page in one tab of a user who may see all of them. */
  async function onEachPage(
    look: (page: Page, one: FurnishedPage) => Promise<void>,
    options: BrowserContextOptions,
  ): Promise<void> {
    const { service, office, pages } = furnished;
    const page = await browser.newPage(options);
    const [name = '', value = ''] = office.cookie.split(/=(.*)/s);
    await page.context().addCookies([{ name, value, url: service.origin }]);
    await readyKeyboard(page);
    for (const one of pages) {
      await page.goto(service.origin + one.path);
      await look(page, one);
    }
    await page.close();
  }

  beforeAll(async () => {
    furnished = await furnish(room);
    browser = await launchBrowser();
    await onEachPage(visit, { viewport: { width: 360, height: 740 } });
  });
  afterAll(async () => {
    await browser?.close();
    await furnished?.stop();
  });

  test('visits every declared page', () => {
    const walked = new Set(furnished.pages.map(({ route }) => route));
    const declared = actRoutes().filter(({ method, path }) => method === 'GET' && !isFile(path));
    const own = declared.filter((route) => roomOf(route) === room).map(({ path }) => path);
    expect(own.filter((path) => !walked.has(path))).toEqual([]);
    expect(own.length).toBeGreaterThan(20);
    expect(declared.length).toBeGreaterThan(70);
  });

  test('opens a confirmation as a dialog that traps focus, and returns it on closing', () => {
    expect(found.questions).toEqual([]);
    // The operator's confirmations are separate pages.
    if (room === 'account') expect(found.asked.size).toBeGreaterThan(2);
  });

  test.each(widths)(
    'lets the keyboard reach everything at %i px, in order and visibly, without a trap',
    (width) => {
      expect(found.keyboard[width]).toEqual([]);
      expect(found.walked).toBeGreaterThan(5);
    },
  );

  test('shows no English, and without scripts no element that needs them', async () => {
    const faults: string[] = [];
    await onEachPage(
      async (page, { path }) => {
        const shown = [...(await inertOn(page)), ...englishIn(await page.content())];
        faults.push(...shown.map((fault) => `${path}: ${fault}`));
      },
      { javaScriptEnabled: false },
    );
    expect(faults).toEqual([]);
  });

  test('explains an invalid or repeated form in Spanish', async () => {
    const faults: string[] = [];
    const questions: (() => Promise<void>)[] = [];
    const { office, pages } = furnished;
    const reader = await browser.newPage();
    for (const { path } of pages) {
      if (path.startsWith('/portal/me') || path === '/portal/confirm') continue;
      for (const form of await formsIn(reader, (await office.get(path)).text)) {
        const send = async (typed: string): Promise<void> => {
          const { status, text } = await sendWith(office, form, typed);
          const said = [...englishIn(text), ...(status >= 500 ? [String(status)] : [])];
          faults.push(...said.map((line) => `${form.action} of ${typed || 'nothing'}: ${line}`));
        };
        // Confirmations are answered last, and twice.
        if (!form.files && !form.fields.some(({ typed }) => typed)) {
          questions.push(
            () => send(''),
            () => send(''),
          );
        } else for (const typed of ['', '\u202ex;y', '-1']) await send(typed);
      }
    }
    await reader.close();
    for (const ask of questions) await ask();
    expect(faults).toEqual([]);
    expect(questions.length).toBeGreaterThan(2);
  });
}
