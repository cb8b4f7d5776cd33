// Everything that a mouse can do, with keys alone. In `npm run test:browser` alone.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testStudioAtLength } from './rig/stores.ts';
import { type Studio, studioHere } from './rig/studio.ts';
import { graphs } from './scene/graphs.ts';

const [refunds] = graphs;

async function waitingRun({ engine }: Studio, id: string): Promise<void> {
  await engine.start(refunds, { order: id, cents: 8_990 }, { id }).outcome();
}

/** What has the focus: its name, or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    return label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}; the last was "${await focused(page)}".`);
}

testStudioAtLength('a question is answered: from the overview to the end of the run', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_1');
  const page = await here.open('');
  await page.locator('.q', { hasText: 'Refund €89.90 for ord_1?' }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('radio', { name: 'Yes' }).waitFor();
  await tabTo(page, /^Yes$/u);
  await page.keyboard.press('Space');
  await tabTo(page, /^Amount in cents/u);
  await page.keyboard.type('4200');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => page.locator('.runhead .pill').textContent()).toBe('completed');
});

testStudioAtLength('a run is forked with an edited state', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_2');
  const page = await here.open('runs/ord_2?tab=state');
  const selected = (): Promise<string | null> => page.locator('.trow[aria-selected="true"] .nm').textContent();
  await expect.poll(selected).toBe('approve');
  await page.keyboard.press('j');
  await expect.poll(selected).toBe('decide');
  await page.keyboard.press('f');
  await page.locator('dialog[open] .cm-content').waitFor();
  await page.locator('dialog[open] .cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"order":"ord_2","cents":100}');
  await page.locator('dialog[open]').getByText('A fork cannot take a channel away').waitFor();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Home');
  for (let line = 0; line < 2; line += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  for (let character = 0; character < 2; character += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type(',');
  await expect.poll(() => page.locator('dialog[open] .pt').textContent()).toContain('899');
  await tabTo(page, /^Fork, suspended$/u);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/ord_2'));
  await expect.poll(() => page.locator('.runhead .pill').textContent()).toBe('suspended');
  await page.keyboard.press('r');
  await expect.poll(() => page.locator('.runhead .pill').textContent()).toBe('completed');
});

testStudioAtLength(
  'branches, failures and tabs have keys; Escape closes one layer; the focus is always seen',
  async () => {
    const here = await studioHere();
    await waitingRun(here, 'ord_3');
    await here.engine.get(refunds, 'ord_3').fork({ id: 'other', label: 'other' });
    const page = await here.open('runs/ord_3');
    const selected = (): Promise<string | null> => page.locator('.trow[aria-selected="true"]').getAttribute('id');
    await expect.poll(selected).toMatch(/^row-ord_3@/u);
    await page.keyboard.press('l');
    await expect.poll(selected).toMatch(/^row-other@/u);
    await page.keyboard.press('h');
    await expect.poll(selected).toMatch(/^row-ord_3@/u);
    for (const [key, tab] of [
      ['s', 'State'],
      ['d', 'Diff'],
      ['J', 'Journal'],
      ['a', 'Question'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => page.locator('[role="tab"][aria-selected="true"]').textContent()).toContain(tab);
    }
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    for (let steps = 0; steps < 25; steps += 1) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
      const around = await page.evaluate(
        () => document.activeElement?.closest('label, .find, .query, .statefind')?.className,
      );
      expect([outline, around !== undefined], await focused(page)).not.toEqual(['none', false]);
    }
  },
);

testStudioAtLength('a run is found by its id, and by the beginning of it', async () => {
  const here = await studioHere();
  for (const id of ['ord_4', 'ord_41']) await waitingRun(here, id);
  const page = await here.open('');
  await page.getByText('Waiting for you').waitFor();
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await find('ord_41');
  await page.waitForURL(/\/runs\/ord_41$/u);
  await page.locator('.trow').first().waitFor();
  await find('ord_');
  await page.getByRole('link', { name: 'ord_4', exact: true }).waitFor();
  await page.goto(page.url().replace(/\/runs.*/u, '/runs/ord_42'));
  await page.getByText('Did you mean one of these?').waitFor();
  await page.getByRole('link', { name: 'ord_41' }).click();
  await page.locator('.trow').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/runs/ord_41');
});

testStudioAtLength('the theme is switched, and stays', async () => {
  const here = await studioHere();
  const page = await here.open('', { colorScheme: 'light' });
  const scheme = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await scheme()).toBe('light');
  await page.getByRole('button', { name: 'Switch theme' }).press('Enter');
  expect(await scheme()).toBe('dark');
  await page.reload();
  await page.locator('.head').waitFor();
  expect(await scheme()).toBe('dark');
});
