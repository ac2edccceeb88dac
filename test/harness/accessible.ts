import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens every section of a page, so that axe checks it too. */
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

/** Rules that depend on colors; all other rules give the same result in every color scheme. */
const colorRules = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/**
 * Excludes a table's rows after the eighth: they look alike, and axe takes milliseconds per cell.
 */
const most = JSON.stringify({ exclude: [['tbody tr:nth-child(n+9)']] });

/**
 * Runs axe on the page, with all rules or only those about colors. Returns a text per violating
 * element.
 */
export async function violationsOn(
  page: Page,
  { colorsOnly = false }: { colorsOnly?: boolean } = {},
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  // Reporting passed rules would take half of the time.
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(colorsOnly && colorRules),
  });
  const run = `axe.run(${most}, ${options}).then((run) => run.violations)`;
  const found = (await page.evaluate(run)) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

/** Color schemes and widths in which every page is checked. */
export const colors = ['light', 'dark'] as const;
export const viewports = [360, 1280].map((width) => ({ width, height: 800 }));
export const looks = colors.flatMap((colorScheme) =>
  viewports.map((viewport) => ({ colorScheme, viewport })),
);
