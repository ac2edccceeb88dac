import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { colors, openAll, viewports, violationsOn } from '../harness/accessible.ts';
import type { Office } from '../harness/portal.ts';

type Place = { origin: string; office: Office; path: string };

/** Opens an empty page in a signed-in user's browser. */
async function newPage(
  browser: Browser,
  { origin, office }: Place,
  options: BrowserContextOptions,
): Promise<Page> {
  const page = await browser.newPage(options);
  const [name = '', value = ''] = office.cookie.split('=');
  await page.context().addCookies([{ name, value, url: origin }]);
  return page;
}

/** Opens a page of the portal in a signed-in user's browser. */
export async function openPage(
  browser: Browser,
  place: Place,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newPage(browser, place, options);
  await page.goto(place.origin + place.path);
  return page;
}

/** Takes a screenshot of a page in each color scheme. */
async function keepPictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of colors) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${name}-${colorScheme}.png`, fullPage: true });
  }
}

/**
 * Checks a page in every width and color scheme: no sideways scrolling, no axe findings, nothing
 * refused by the browser. Saves a screenshot of each to the folder `PICTURES` if it is set.
 */
export async function lookAtPage(browser: Browser, at: Place, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await mkdir(folder, { recursive: true });
  const page = await newPage(browser, at, {});
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  await page.goto(at.origin + at.path);
  for (const viewport of folder ? viewports : []) {
    await page.setViewportSize(viewport);
    await keepPictures(page, `${folder}/${name}-${viewport.width}`);
  }
  // Loading axe takes most of the time, so a page is loaded once and then resized.
  await openAll(page);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    for (const colorScheme of colors) {
      await page.emulateMedia({ colorScheme });
      const where = `${name} ${colorScheme} ${viewport.width}`;
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([where, sideways]).toEqual([where, viewport.width]);
      const found = await violationsOn(page, { colorsOnly: colorScheme === 'dark' });
      expect([where, ...found]).toEqual([where]);
      expect([where, ...refused]).toEqual([where]);
    }
  }
  await page.context().close();
}
