// The main paths through the pages, in a real browser.
import type { Engine } from 'holdfast';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { widths } from '../../../test/browser/launch.ts';
import { testStudio, testStudioAtLength } from './rig/stores.ts';
import { type Studio, type StudioOptions, studioHere } from './rig/studio.ts';
import { fillStore } from './scene/small-store.ts';

/** The studio of a store with runs of every status. */
async function filled(options: StudioOptions = {}): Promise<Studio> {
  const served = await studioHere(options);
  await fillStore(served.engine);
  return served;
}

/** How many checkpoints a run has. */
async function checkpointsOf(engine: Engine, runId: string): Promise<number> {
  const ids: string[] = [];
  for await (const { id } of engine.get(runId).history()) ids.push(id);
  return ids.length;
}

/** Where a page is, without its origin. */
function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return decodeURIComponent(pathname + search);
}

testStudio('the overview shows what waits, what failed and what runs; the token leaves the address', async () => {
  const { open } = await filled();
  const page = await open('');
  await page.locator('.q', { hasText: 'Refund €89.90 for ord_87?' }).waitFor();
  await page.getByRole('button', { name: 'Resume 2' }).waitFor();
  await page.getByRole('link', { name: 'ing-7c41' }).waitFor();
  expect(pathOf(page)).toBe('/');
  await page.getByRole('link', { name: 'All failed' }).click();
  await page.getByText('2 runs, newest first').waitFor();
  expect(pathOf(page)).toBe('/runs?q=status:failed');
});

testStudio('runs are filtered by chips and conditions, and cancelled together with a reason', async () => {
  const { engine, open } = await filled();
  const page = await open('runs');
  await page.getByRole('button', { name: /^waiting/u }).click();
  await page.getByLabel('Filter the runs').fill('graph:refunds');
  await page.keyboard.press('Enter');
  await page.getByText('2 runs, newest first').waitFor();
  expect(pathOf(page)).toBe('/runs?q=status:waiting+graph:refunds');
  await page.getByLabel('Tick all on this page').check();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByLabel(/Reason/u).fill('sold twice');
  await page.getByRole('button', { name: 'Cancel 2 runs' }).click();
  await page.getByText('Cancelled 2 runs.').waitFor();
  expect((await engine.get('ord_87').summary()).status).toBe('cancelled');
});

testStudio('new runs wait behind a button, and rows keep their place', async () => {
  const { engine, open } = await filled();
  const page = await open('runs');
  await page.getByRole('link', { name: 'ord_93' }).waitFor();
  await engine.get('ord_93').fork({ id: 'newcomer' });
  const button = page.getByRole('button', { name: '1 new run, show' });
  await button.waitFor();
  expect(await page.getByRole('link', { name: 'newcomer' }).count()).toBe(0);
  await button.click();
  await page.getByRole('link', { name: 'newcomer' }).waitFor();
});

testStudioAtLength('keys alone lead to a run and back', async () => {
  const { open } = await filled();
  const page = await open('');
  await page.getByText('Waiting for you').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('link', { name: 'ord_93' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect.poll(() => pathOf(page)).toMatch(/^\/runs\/.+/u);
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.getByLabel('Keys of a single letter work').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  expect(pathOf(page)).toMatch(/^\/runs\//u);
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/runs');
});

testStudio('a prune is previewed with its numbers, and asks once more', async () => {
  const { engine, open } = await filled();
  const before = await checkpointsOf(engine, 'ord_81');
  const page = await open('store');
  await page.getByLabel('Older than').fill('');
  await page.getByLabel('Keep newest').fill('1');
  const button = page.getByRole('button', { name: /^Prune [1-9]\d* checkpoints…/u });
  await button.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Prune/u })
    .click();
  await page.getByText(/^Pruned [1-9]\d* checkpoints\.$/u).waitFor();
  expect(await checkpointsOf(engine, 'ord_81')).toBeLessThan(before);
  await page.getByLabel('Keep newest').fill('some');
  await page.getByText('Keep a whole number, 0 or more.').waitFor();
});

testStudioAtLength('two states are compared', async () => {
  const { open } = await filled();
  const page = await open('compare?a=ord_81&b=what-if-50');
  await page.getByText(/^1 change in 1 of \d+ channels$/u).waitFor();
  expect(await page.locator('.dd del, .dd ins').allTextContents()).toEqual(['12000', '5000']);
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await expect.poll(() => page.locator('.dd del').first().textContent()).toBe('5000');
});

testStudio('a run is started from the form of its graph', async () => {
  const { engine, open } = await filled();
  const page = await open('graphs/onboarding');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.err').first().waitFor();
  await page.getByLabel(/^Email/u).fill('ada@example.com');
  await page.getByLabel(/^Id/u).fill('onb_new');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => pathOf(page)).toBe('/runs/onb_new');
  expect((await engine.get('onb_new').summary()).graph).toBe('onboarding');
});

testStudio('a lost connection is shown, and nothing can be changed until it is back', async () => {
  const { server, open } = await filled();
  const page = await open('');
  const resume = page.getByRole('button', { name: 'Resume 2' });
  await resume.waitFor();
  await server.close();
  await page.getByText('Reconnecting', { exact: true }).first().waitFor();
  await expect.poll(() => resume.isDisabled()).toBe(true);
  expect(await resume.getAttribute('title')).toBe('Off until the connection is back.');
  await page.locator('.q', { hasText: 'Refund €89.90 for ord_87?' }).waitFor();
});

testStudioAtLength('who may only read sees why nothing can be changed', async () => {
  const { open } = await filled({ readOnly: true });
  const page = await open('', { viewport: widths.narrow });
  const resume = page.getByRole('button', { name: 'Resume 2' });
  await resume.waitFor();
  await expect.poll(() => resume.getAttribute('title')).toBe('Only reading is allowed here.');
  expect(await resume.isDisabled()).toBe(true);
});
