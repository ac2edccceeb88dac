import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { colours, openAll, viewports, violationsOn } from '../harness/accessible.ts';
import type { Office } from '../harness/portal.ts';

type Place = { origin: string; office: Office; path: string };

/** An empty page in a browser of somebody who is signed in. */
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

/** A page of the portal in a browser of somebody who is signed in. */
export async function openPage(
  browser: Browser,
  place: Place,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newPage(browser, place, options);
  await page.goto(place.origin + place.path);
  return page;
}

/** A picture of a page in each colour, as it comes. */
async function keepPictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of colours) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${name}-${colorScheme}.png`, fullPage: true });
  }
}

/**
 * Looks at a page in every width and colour: nothing scrolls sideways, axe finds nothing, and the
 * browser refuses nothing. With `PICTURES` set, to a folder, it leaves a picture of each look.
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
  // Most of a look is loading axe, so a page is loaded once and then changes its width.
  await openAll(page);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    for (const colorScheme of colours) {
      await page.emulateMedia({ colorScheme });
      const where = `${name} ${colorScheme} ${viewport.width}`;
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([where, sideways]).toEqual([where, viewport.width]);
      const found = await violationsOn(page, { coloursOnly: colorScheme === 'dark' });
      expect([where, ...found]).toEqual([where]);
      expect([where, ...refused]).toEqual([where]);
    }
  }
  await page.context().close();
}
