// Every page and state in both themes and both widths: no violation of WCAG, nothing wider than the window, and pictures for
// the docs. In `npm run test:browser`. HOLDFAST_VIEWS=run,fork looks at those alone, and HOLDFAST_PICTURES=/tmp/pictures puts
// pictures of all of them there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { widths } from '../../../../test/browser/launch.ts';
import { newStoreUrl, testStudioAtLength } from '../rig/stores.ts';
import { type Studio, studioHere } from '../rig/studio.ts';
import { childOf, graphsNow, Week } from '../scene/week.ts';
import { violationsOn } from './axe.ts';
import { setInFonts } from './fonts.ts';
import { smallPng } from './small-png.ts';
import { kept, type View, viewsOf } from './views.ts';

const elsewhere = process.env['HOLDFAST_PICTURES'];
const pictures = resolve(import.meta.dirname, '../../../..', elsewhere ?? 'docs/pictures/studio');
const themes = ['light', 'dark'] as const;
type Width = keyof typeof widths;

/** A studio on a store after a busy week, and the checkpoint that the pictures are about. */
async function afterAWeek(): Promise<{ readonly here: Studio; readonly at: string }> {
  const store = await newStoreUrl();
  const week = new Week(store);
  await week.past();
  const here = await studioHere({ store, graphs: graphsNow, engine: { workerId: 'mbp:41391' } });
  await week.now(here.engine);
  for await (const { id, next } of here.engine.get('ord_81').history())
    if (next.includes('approve')) return { here, at: id };
  throw new Error('ord_81 has not come to approve.');
}

/** Takes the picture of a page: for the docs those of some views, for a look at them all of them. */
async function takePicture(
  page: Page,
  view: string,
  { width, theme }: { width: number; theme: string },
): Promise<void> {
  if (elsewhere === undefined && !kept.has(view)) return;
  mkdirSync(pictures, { recursive: true });
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(pictures, `${view}-${width}-${theme}.png`), smallPng(png));
}

/** In the page: the texts that are higher than the box that is drawn around them. */
function spilledTexts(): readonly string[] {
  const boxes = [...document.querySelectorAll<HTMLElement>('.note, .btn, .mark, .pill, .tag, .cmd, td, th')];
  const spilled = boxes.filter(({ scrollHeight, clientHeight }) => clientHeight > 0 && scrollHeight > clientHeight + 2);
  return spilled.map(({ textContent }) => textContent.slice(0, 80));
}

/** What is wrong with a view at a width, in either theme. */
async function problemsOf(here: Studio, view: View, width: Width, isPictured: boolean): Promise<readonly string[]> {
  const page = await here.open(view.path, { viewport: widths[width], colorScheme: 'light' });
  const problems: string[] = [];
  await page.getByText(view.ready).first().waitFor({ state: 'attached' });
  await view.prepare?.(page);
  await setInFonts(page);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    const where = `${view.name}, ${width}, ${theme}`;
    for (const violation of await violationsOn(page)) problems.push(`${where}: ${violation}`);
    const extra = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (extra > 0) problems.push(`${where}: ${extra} pixels wider than the window`);
    for (const text of await page.evaluate(spilledTexts)) problems.push(`${where}: "${text}" does not fit its box`);
    if (isPictured) await takePicture(page, view.name, { width: widths[width].width, theme });
  }
  await page.context().close();
  return problems;
}

/** 1440 × 900 at 200%, and a small laptop. */
const moreWidths = [
  { width: 720, height: 450 },
  { width: 1024, height: 700 },
];

testStudioAtLength('at 200% zoom and on a small screen, no page scrolls sideways', async () => {
  const { here, at } = await afterAWeek();
  const problems: string[] = [];
  for (const view of viewsOf(at, 'ord_81').filter(({ name }) => kept.has(name)))
    for (const viewport of moreWidths) {
      const page = await here.open(view.path, { viewport });
      await page.getByText(view.ready).first().waitFor({ state: 'attached' });
      const extra = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (extra > 0) problems.push(`${view.name}, ${viewport.width}: ${extra} pixels wider than the window`);
      await page.context().close();
    }
  expect(problems).toEqual([]);
});

testStudioAtLength('every page in every state is accessible and fits its window', async (store) => {
  const { here, at } = await afterAWeek();
  const { id: unsettled } = await childOf(here.engine, 'pay-551c');
  const chosen = process.env['HOLDFAST_VIEWS']?.split(',');
  const problems: string[] = [];
  // A page looks the same on every store: on Postgres, each page is looked at in one state.
  const isLooked = ({ name }: View): boolean => chosen?.includes(name) ?? (store === 'SQLite' || kept.has(name));
  for (const view of viewsOf(at, unsettled).filter(isLooked))
    for (const width of ['wide', 'narrow'] as const)
      if (view.only === undefined || view.only === width)
        problems.push(
          ...(await problemsOf(here, view, width, store === 'SQLite').catch((error) => [
            `${view.name}, ${width}: ${error}`,
          ])),
        );
  expect(problems).toEqual([]);
});
