// The page of a run: a real engine, a real server, a real browser.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { widths } from '../../../../test/browser/launch.ts';
import { doomedWorker, kill } from '../rig/doomed-worker.ts';
import { testStudio, testStudioAtLength } from '../rig/stores.ts';
import { type Studio, studioHere } from '../rig/studio.ts';
import { graphs } from '../scene/graphs.ts';

const [graph] = graphs;

async function waitingRun({ engine }: Studio, id: string): Promise<void> {
  await engine.start(graph, { order: id, cents: 8_990 }, { id, tags: { region: 'eu' } }).outcome();
}

async function endedRun(here: Studio, id: string): Promise<void> {
  await waitingRun(here, id);
  const run = await here.engine.get(graph, id);
  await run.answer('approval', { ok: true, cents: 5_000 }, { by: 'ada' });
  await run.result();
}

function pill(page: Page): Promise<string | null> {
  return page.locator('.runhead .pill').textContent();
}

testStudio('a question is answered with its form, and the page shows the run go on', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_1');
  const page = await here.open('runs/ord_1');
  await page.getByText('Refund €89.90 for ord_1?').waitFor();
  await page.getByRole('radio', { name: 'Yes' }).check({ force: true });
  await page.getByLabel(/^Amount in cents/u).fill('98900');
  await page.locator('.qs form button[type="submit"]').click();
  await page.getByText('Must be at most 40000').waitFor();
  await page.getByLabel(/^Amount in cents/u).fill('4200');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => pill(page)).toBe('completed');
  const answers = await here.engine.journal.tail('ord_1', 9, {
    kind: 'answer',
  });
  expect(answers[0]?.payload).toMatchObject({
    value: { ok: true, cents: 4_200 },
    by: 'lin',
  });
});

testStudio('an answer that comes second shows who won, beside what was written', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_2');
  const page = await here.open('runs/ord_2');
  await page.getByLabel(/^Amount in cents/u).fill('100');
  // Neither another tab nor another checkpoint loses what was written.
  await page.getByRole('tab', { name: /^State/u }).click();
  await page.locator('.trow', { hasText: 'decide' }).click();
  await page.locator('.trow', { hasText: 'approve' }).click();
  await page.getByRole('tab', { name: /^Question/u }).click();
  expect(await page.getByLabel(/^Amount in cents/u).inputValue()).toBe('100');
  const run = await here.engine.get(graph, 'ord_2');
  await run.answer('approval', { ok: false, cents: 8_990 }, { by: 'ada' });
  await page.getByText('Already answered by ada').waitFor();
  await expect.poll(() => page.locator('.tbl.two td.dif').allTextContents()).toContain('100');
  await page.getByRole('button', { name: 'Discard mine' }).click();
  await expect.poll(() => page.getByText('Already answered by ada').count()).toBe(0);
});

testStudio('keys alone: checkpoints, tabs, a diff with a marked checkpoint, the fork dialog', async () => {
  const here = await studioHere();
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

testStudioAtLength('the graph, its list twin and the timeline show the same selection', async () => {
  const here = await studioHere();
  await endedRun(here, 'ord_5');
  const page = await here.open('runs/ord_5');
  await page.getByRole('button', { name: /^decide .*, completed/u }).click();
  await expect.poll(() => page.locator('.trow[aria-selected="true"] .nm').textContent()).toBe('decide');
  expect(await page.locator('.tl .labels .on').textContent()).toContain('decide');
  expect(await page.locator('.tl .bar_.bad').count()).toBe(2);
  await page.getByRole('button', { name: 'List' }).click();
  expect(await page.locator('.glist li.sel').textContent()).toContain('decide');
});

testStudioAtLength('a narrow window shows one pane at a time, without scrolling sideways', async () => {
  const here = await studioHere();
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

testStudio('a connection that is cut while the page is open misses nothing', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_7');
  const page = await here.open('runs/ord_7');
  await page.getByText('Refund €89.90 for ord_7?').waitFor();
  await page.context().setOffline(true);
  await expect.poll(() => page.getByText('Reconnecting').count()).toBeGreaterThan(0);
  await (await here.engine.get(graph, 'ord_7')).answer('approval', { ok: false, cents: 1 }, { by: 'ada' });
  await page.context().setOffline(false);
  await expect.poll(() => pill(page)).toBe('completed');
});

testStudioAtLength('a run that does not exist says so, and leads on', async () => {
  const here = await studioHere();
  const page = await here.open('runs/ord_none');
  await page.getByText('There is no run').waitFor();
  expect(await page.getByRole('link', { name: 'All runs' }).count()).toBe(1);
});

testStudio('a fork with an edited state is made suspended, and keeps what JSON cannot say', async () => {
  const here = await studioHere();
  await endedRun(here, 'ord_8');
  const page = await here.open('runs/ord_8');
  await page.locator('.trow', { hasText: 'decide' }).click();
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog');
  const cents = dialog.locator('.cm-content .v-number', { hasText: '8990' }).first();
  await cents.dblclick();
  await page.keyboard.type('!');
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByRole('button', { name: 'Fork, suspended' }).isDisabled()).toBe(true);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('4200');
  await expect.poll(() => dialog.locator('.pt').textContent()).toBe('−/cents8990+/cents4200');
  expect(await dialog.locator('.wl').first().textContent()).toContain('decide');
  expect(await dialog.locator('.wl').last().allTextContents()).toEqual([
    expect.stringMatching(/^approve.*pay.*real effect/u),
  ]);
  await dialog.getByLabel('Id').fill('ord_8-cheaper');
  await dialog.getByRole('button', { name: 'Fork, suspended' }).click();
  await page.waitForURL(/runs\/ord_8-cheaper/u);
  await expect.poll(() => pill(page)).toBe('suspended');
  const fork = await here.engine.get(graph, 'ord_8-cheaper');
  expect(await fork.summary()).toMatchObject({
    status: 'suspended',
    forkedAt: expect.stringMatching(/^ord_8@/u),
  });
  expect(await fork.state()).toMatchObject({
    cents: 4_200,
    parcel: { scannedAt: expect.any(Date) },
  });
  expect(await (await here.engine.get(graph, 'ord_8')).state()).toMatchObject({
    cents: 8_990,
  });
});

testStudioAtLength('a diff leads to the same checkpoints side by side', async () => {
  const here = await studioHere();
  await endedRun(here, 'ord_9');
  const page = await here.open('runs/ord_9?tab=diff');
  await page.locator('.trow', { hasText: 'decide' }).click();
  await page.locator('.df .h', { hasText: '/decision' }).waitFor();
  await page.getByRole('link', { name: 'Side by side' }).click();
  await page.waitForURL(/compare/u);
  await page.getByText('/decision').first().waitFor();
  expect(new URL(page.url()).searchParams.get('a')).toMatch(/^ord_9@/u);
});

testStudio('a worker that is killed while the page is open is seen to die', async () => {
  const here = await studioHere();
  const worker = await doomedWorker({ store: here.store, id: 'ord_10' });
  const [watching, page] = [await here.open('runs/ord_10/takeover'), await here.open('runs/ord_10')];
  await watching.getByText('The worker is alive.').waitFor();
  await kill(worker);
  await watching.getByText('The worker has died.').waitFor();
  await here.engine.recover();
  await watching.getByText('Nothing that had finished ran twice.').waitFor();
  await page.getByText('took the run over').waitFor();
  await expect.poll(() => pill(page)).toBe('waiting');
  expect(await page.locator('.tknote').textContent()).toContain('doomed died. second took the run over');
  await page.getByRole('link', { name: 'See the takeover' }).click();
  await page.locator('.hero').waitFor();
  expect(await page.locator('.sum div').allTextContents()).toContain('ran twice0');
});
