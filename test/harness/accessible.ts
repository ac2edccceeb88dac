import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every section of a page that opens is looked at too. */
export const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const section of document.querySelectorAll('details')) {
      section.removeAttribute('name');
      section.open = true;
    }
  });

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds on the page as it stands. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run().then((run) => run.violations)')) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

/** The widths and colours that every page is looked at in. */
export const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [360, 1280].map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
);
