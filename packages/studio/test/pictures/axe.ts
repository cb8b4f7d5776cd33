// What is wrong with a page for someone who cannot see it or cannot use a mouse.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const options: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };

/** The violations of WCAG 2.2 AA, in words. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  // The policy of the page allows no script that is added; the browser's own console does.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  const found: string[] = [];
  for (const { id, nodes } of await run(page, 'document'))
    for (const { html, target, failureSummary } of nodes) {
      const isScrolledAway = id === 'target-size' && (await fitsInSight(page, String(target[0])));
      if (!isScrolledAway) found.push(`${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`);
    }
  return found;
}

async function run(page: Page, where: string): Promise<readonly Result[]> {
  return page.evaluate(`axe.run(${where}, ${JSON.stringify(options)}).then((all) => all.violations)`);
}

/** A row that is half behind the edge of its list is too small a target there, and large enough once it is scrolled into sight. */
async function fitsInSight(page: Page, selector: string): Promise<boolean> {
  const element = `document.querySelector(${JSON.stringify(selector)})`;
  await page.evaluate(`${element}.scrollIntoView({ block: 'center' })`);
  return !(await run(page, element)).some(({ id }) => id === 'target-size');
}
