// Every page in both themes and both widths: no violation of WCAG, nothing wider than the window, and its picture for the
// docs. In `npm run test:browser` alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { widths } from '../../../test/browser/launch.ts';
import { fillStore, servedStudio } from './fixture.ts';

const isAll = process.env['HOLDFAST_BROWSER'] === 'all';
const pictures = resolve(import.meta.dirname, '../../../docs/pictures/studio');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each page with what is there when it is ready. */
const pages = [
  ['overview', '', 'Resume 2'],
  ['runs', 'runs', 'ord_93'],
  ['run', 'runs/ord_93?tab=question', 'Refund EUR 310.00 for ord_93?'],
  ['compare', 'compare?a=ord_81&b=what-if-50', 'Channels'],
  ['graphs', 'graphs', 'onboarding'],
  ['graph', 'graphs/refunds', 'this build'],
  ['store', 'store', 'Size by graph'],
  ['not-found', 'nowhere', 'There is no such page'],
] as const;
const themes = ['light', 'dark'] as const;

/** What is wrong for someone who cannot see or use a mouse, in words. */
async function violationsOn(page: Page): Promise<readonly string[]> {
  // The policy of the page allows no script that is added; the browser's own console does.
  await page.evaluate(axe);
  const options: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
  const found = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then((all) => all.violations)`);
  return (found as readonly Result[]).flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}

/** Takes the picture of a page, small enough for a repository. */
async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const path = join(pictures, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  try {
    execFileSync('pngquant', ['--force', '--skip-if-larger', '--ext', '.png', '64', path], { stdio: 'ignore' });
  } catch {
    // Without the program the picture is larger, and as good.
  }
}

test.runIf(isAll).each(themes)('every page is accessible and fits its window (%s)', async (theme) => {
  const { engine, open } = await servedStudio();
  await fillStore(engine);
  const problems: string[] = [];
  for (const [name, path, ready] of pages) {
    for (const [width, viewport] of Object.entries(widths)) {
      const page = await open(path, { viewport, colorScheme: theme });
      await page.getByText(ready).first().waitFor({ state: 'attached' });
      const where = `${name}, ${width}, ${theme}`;
      for (const violation of await violationsOn(page)) problems.push(`${where}: ${violation}`);
      const extra = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (extra > 0) problems.push(`${where}: ${extra} pixels wider than the window`);
      await takePicture(page, `${name}-${viewport.width}-${theme}`);
      await page.context().close();
    }
  }
  expect(problems).toEqual([]);
});
