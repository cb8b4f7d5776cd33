// The page of a run: a real engine, a real server, a real browser.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { widths } from '../../../../test/browser/launch.ts';
import { type Here, studioOn } from './fixture.ts';
import { refunds } from './refunds.ts';

const graph = refunds();

async function waitingRun({ engine }: Here, id: string): Promise<void> {
  await engine.start(graph, { order: id, cents: 8_990 }, { id, tags: { region: 'eu' } }).outcome();
}

async function endedRun(here: Here, id: string): Promise<void> {
  await waitingRun(here, id);
  const run = await here.engine.get(graph, id);
  await run.answer('approval', { ok: true, cents: 5_000 }, { by: 'ada' });
  await run.result();
}

function pill(page: Page): Promise<string | null> {
  return page.locator('.runhead .pill').textContent();
}

test('a question is answered with its form, and the page shows the run go on', async () => {
  const here = await studioOn();
  await waitingRun(here, 'ord_1');
  const page = await here.open('runs/ord_1');
  await page.getByText('Refund €89.90 for ord_1?').waitFor();
  await page.getByRole('radio', { name: 'Yes' }).check({ force: true });
  await page.getByLabel(/^Amount in cents/u).fill('9890');
  await page.locator('.qs form button[type="submit"]').click();
  await page.getByText('Must be at most 8990').waitFor();
  await page.getByLabel(/^Amount in cents/u).fill('4200');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => pill(page)).toBe('completed');
  const answers = await here.engine.journal.tail('ord_1', 9, { kind: 'answer' });
  expect(answers[0]?.payload).toMatchObject({ value: { ok: true, cents: 4_200 }, by: 'lin' });
});

test('an answer that comes second shows who won, beside what was written', async () => {
  const here = await studioOn();
  await waitingRun(here, 'ord_2');
  const page = await here.open('runs/ord_2');
  await page.getByLabel(/^Amount in cents/u).fill('100');
  const run = await here.engine.get(graph, 'ord_2');
  await run.answer('approval', { ok: false, cents: 8_990 }, { by: 'ada' });
  await page.getByText('Already answered by ada').waitFor();
  await expect.poll(() => page.locator('.tbl.two td.dif').allTextContents()).toContain('100');
  await page.getByRole('button', { name: 'Discard mine' }).click();
  await expect.poll(() => page.getByText('Already answered by ada').count()).toBe(0);
});

test('keys alone: checkpoints, tabs, a diff with a marked checkpoint, the fork dialog', async () => {
  const here = await studioOn();
  await endedRun(here, 'ord_4');
  const page = await here.open('runs/ord_4');
  const selected = (): Promise<string | null> => page.locator('.trow[aria-selected="true"] .nm').textContent();
  await expect.poll(selected).toBe('end');
  await page.keyboard.press('j');
  await expect.poll(selected).toBe('notify');
  await page.keyboard.press('v');
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('j');
  await expect.poll(selected).toBe('decide');
  await page.keyboard.press('d');
  await expect
    .poll(() => page.locator('.df .h').allTextContents())
    .toContainEqual(expect.stringContaining('/approved'));
  await page.keyboard.press('J');
  await page.locator('.jr.on').waitFor();
  await page.keyboard.press(']');
  await page.keyboard.press('[');
  await expect.poll(selected).toContain('lookup');
  await page.keyboard.press('f');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
});

test('the graph, its list twin and the timeline show the same selection', async () => {
  const here = await studioOn();
  await endedRun(here, 'ord_5');
  const page = await here.open('runs/ord_5');
  await page.getByRole('button', { name: /^decide, completed/u }).click();
  await expect.poll(() => page.locator('.trow[aria-selected="true"] .nm').textContent()).toBe('decide');
  expect(await page.locator('.tl .labels .on').textContent()).toContain('decide');
  expect(await page.locator('.tl .bar_.bad').count()).toBe(2);
  await page.getByRole('button', { name: 'List' }).click();
  expect(await page.locator('.glist li.sel').textContent()).toContain('decide');
});

test('a narrow window shows one pane at a time, without scrolling sideways', async () => {
  const here = await studioOn();
  await endedRun(here, 'ord_6');
  const page = await here.open('runs/ord_6', { viewport: widths.narrow });
  await page.locator('.glist li').first().waitFor();
  for (const [name, pane] of [
    ['History', '.p-tree'],
    ['Timeline', '.p-time'],
    ['Inspect', '.p-insp'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.locator(pane).waitFor({ state: 'visible' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
});

test('a connection that is cut while the page is open misses nothing', async () => {
  const here = await studioOn();
  await waitingRun(here, 'ord_7');
  const page = await here.open('runs/ord_7');
  await page.getByText('Refund €89.90 for ord_7?').waitFor();
  await page.context().setOffline(true);
  await expect.poll(() => page.getByText('Reconnecting').count()).toBeGreaterThan(0);
  await (await here.engine.get(graph, 'ord_7')).answer('approval', { ok: false, cents: 1 }, { by: 'ada' });
  await page.context().setOffline(false);
  await expect.poll(() => pill(page)).toBe('completed');
});

test('a run that does not exist says so, and leads on', async () => {
  const here = await studioOn();
  const page = await here.open('runs/ord_none');
  await page.getByText('There is no run').waitFor();
  expect(await page.getByRole('link', { name: 'All runs' }).count()).toBe(1);
});
