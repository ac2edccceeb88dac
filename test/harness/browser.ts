import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser as launch } from '../../tools/browser.ts';

/**
 * Shares one Chromium among all test files of a worker, since a new renderer costs more processor
 * time than most tests. A tab that a test closes serves the next test of its file.
 */

/** Options of a tab. All other options belong to its context. */
type TabOptions = {
  [Name in 'viewport' | 'colorScheme']: BrowserContextOptions[Name] | undefined;
};

interface Tab {
  page: Page;
  context: BrowserContext;
  isOpen: boolean;
  /** False once a test has installed something that cannot be removed. */
  isReusable: boolean;
}

/** Events that tests listen to. */
const events = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'dialog'] as const;

/** Closes a context whose own `close` only returns its tab. */
function end(context: BrowserContext): Promise<void> {
  Reflect.deleteProperty(context, 'close');
  return context.close();
}

/**
 * Prepares a tab for the next test: closes pages that it opened, leaves its own, and clears
 * storage, cookies, permissions, routes and listeners.
 */
async function clean({ page, context }: Tab): Promise<true> {
  for (const event of events) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll();
  // The session's storage outlives the page, and only the page itself can clear it.
  if (page.url().startsWith('http')) {
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.clear();
    });
  }
  await page.goto('about:blank');
  await context.clearCookies();
  await context.clearPermissions();
  return true;
}

async function prepare({ page }: Tab, { viewport, colorScheme }: TabOptions): Promise<Page> {
  page.setDefaultTimeout(30_000);
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
  return page;
}

async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const tab: Tab = { page, context, isOpen: true, isReusable: true };
  const installers = [
    [page, 'addInitScript'],
    [context, 'newCDPSession'],
  ] as const;
  for (const [owner, name] of installers) {
    const install = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, (...args: unknown[]) => {
      tab.isReusable = false;
      return Reflect.apply(install, owner, args);
    });
  }
  return tab;
}

/** Creates the browser's `newPage`, which reuses tabs whose contexts have the same options. */
function createTabs(browser: Browser): Browser['newPage'] {
  const idle = new Map<string, Tab[]>();
  const giveBack = async (tab: Tab, tabs: Tab[]): Promise<void> => {
    if (!tab.isOpen) return;
    tab.isOpen = false;
    // A tab that cannot be cleaned, for example because it is still loading, is closed for good.
    const isClean = tab.isReusable && (await clean(tab).catch(() => false));
    if (isClean) tabs.push(tab);
    else await end(tab.context);
  };
  return async ({ viewport, colorScheme, ...options } = {}) => {
    const key = JSON.stringify(options);
    const tabs = idle.get(key) ?? [];
    idle.set(key, tabs);
    const tab = tabs.pop() ?? (await openTab(browser, options));
    tab.isOpen = true;
    tab.page.close = () => giveBack(tab, tabs);
    tab.context.close = () => giveBack(tab, tabs);
    return await prepare(tab, { viewport, colorScheme });
  };
}

const shared = Symbol.for('recaudo.browser');
const worker = globalThis as { [shared]?: Promise<Browser> };

/** Starts the worker's Chromium. Closes it on SIGTERM, which ends a worker. */
async function startShared(): Promise<Browser> {
  const browser = await launch();
  browser.once('disconnected', () => delete worker[shared]);
  process.once('SIGTERM', () => {
    void browser.close().finally(() => process.kill(process.pid, 'SIGKILL'));
  });
  return browser;
}

/**
 * Returns the worker's Chromium. Its `close` ends everything that the test file has opened in it.
 */
export async function launchBrowser(): Promise<Browser> {
  worker[shared] ??= startShared().catch((error: unknown) => {
    delete worker[shared];
    throw error;
  });
  const browser = await worker[shared];
  const newPage = createTabs(browser);
  const close = async (): Promise<void> => {
    for (const context of browser.contexts()) await end(context);
  };
  return new Proxy(browser, {
    get(_, name) {
      if (name === 'newPage') return newPage;
      if (name === 'close') return close;
      const value: unknown = Reflect.get(browser, name);
      return typeof value === 'function' ? value.bind(browser) : value;
    },
  });
}

/** Makes the browser refuse to write to the clipboard, as a user's setting does. */
export async function refuseClipboard(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const allowWithoutSanitization of [true, false]) {
    const permission = { name: 'clipboard-write', allowWithoutSanitization };
    await session.send('Browser.setPermission', { permission, setting: 'denied' });
  }
}
