// The panes of a run and what each of them can do. In `npm run test:browser` alone.
import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testStudioAtLength } from './rig/stores.ts';
import { type Studio, studioHere } from './rig/studio.ts';
import { graphs, graphsAt } from './scene/graphs.ts';

const [refunds] = graphs;

/** The page of a run that has ended. */
async function endedPage(query = ''): Promise<{ readonly here: Studio; readonly page: Page }> {
  const here = await studioHere();
  await here.engine.start(refunds, { order: 'o', cents: 8_990 }, { id: 'ord' }).outcome();
  const run = here.engine.get(refunds, 'ord');
  await run.answer('approval', { ok: true }, { by: 'ada' });
  await run.result();
  const page = await here.open(`runs/ord${query}`);
  await page.locator('.trow').first().waitFor();
  return { here, page };
}

testStudioAtLength(
  'the graph is made larger and smaller, and fits again; its camera never moves by itself',
  async () => {
    const { page } = await endedPage();
    const width = (): Promise<number> => page.locator('svg.g').evaluate((svg) => svg.getBoundingClientRect().width);
    await page.locator('svg.g').waitFor();
    const fit = await width();
    await page.getByRole('button', { name: 'Larger' }).click();
    await expect.poll(width).toBeGreaterThan(fit);
    const larger = await width();
    await page.locator('.trow').last().click();
    expect(await width()).toBe(larger);
    await page.getByRole('button', { name: 'Fit the window' }).click();
    await expect.poll(width).toBeCloseTo(fit, 0);
  },
);

testStudioAtLength('the timeline is zoomed with a drag and with a key, and shows clock time', async () => {
  const { page } = await endedPage();
  const fact = (): Promise<string | null> => page.locator('.p-time header .faint').textContent();
  const plot = await page.locator('.tl .plot').boundingBox();
  if (plot === null) throw new Error('The timeline is not there.');
  await page.mouse.move(plot.x + plot.width * 0.1, plot.y + 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.3, plot.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(fact).toMatch(/of it$/u);
  await page.getByRole('button', { name: 'All of it' }).click();
  await expect.poll(fact).not.toMatch(/of it$/u);
  await page.locator('.trow', { hasText: 'decide' }).click();
  await page.getByRole('button', { name: 'Zoom to the selected checkpoint' }).press('Enter');
  await expect.poll(fact).toMatch(/of it$/u);
  await page.getByRole('button', { name: 'Clock time' }).click();
  expect(await page.getByRole('button', { name: 'Clock time' }).getAttribute('aria-pressed')).toBe('true');
});

testStudioAtLength('idle time is collapsed, and its length stands where it was', async () => {
  const past = { now: () => Date.now() - 7_200_000, sleep: async () => undefined };
  const here = await studioHere();
  const { openEngine } = await import('holdfast');
  const before = await openEngine(here.store as 'memory:', { graphs: [...graphs], clock: past });
  await before.start(refunds, { order: 'o', cents: 8_990 }, { id: 'idle' }).outcome();
  await before.close();
  const page = await here.open('runs/idle');
  await page.locator('.brk', { hasText: /^(?:2 h|1 h 59 m).* waiting, no process needed$/u }).waitFor();
  await page.getByRole('button', { name: 'Clock time' }).click();
  await expect.poll(() => page.locator('.brk').count()).toBe(0);
});

testStudioAtLength('the state is read with keys: what is closed opens, and what is not shown is found', async () => {
  const { page } = await endedPage('?tab=state');
  const tree = page.getByRole('tree', { name: 'State' });
  const count = (): Promise<number> => tree.getByRole('treeitem').count();
  await tree.getByRole('treeitem', { name: /^parcel/u }).click();
  const before = await count();
  await tree.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(count).toBeLessThan(before);
  await page.keyboard.press('ArrowRight');
  await expect.poll(count).toBe(before);
  await page.getByPlaceholder('Find', { exact: true }).fill('DHL');
  await expect.poll(count).toBe(1);
});

testStudioAtLength('a record of the journal opens, and the logs are those of the step or of the run', async () => {
  const { page } = await endedPage('?tab=journal');
  await page.locator('.jrb', { hasText: 'run-start' }).click();
  await page.locator('.record pre', { hasText: '8990' }).waitFor();
  await page.getByRole('button', { name: 'Close the record' }).click();
  await page.getByRole('tab', { name: /^Logs/u }).click();
  expect(await page.getByText('planning').count()).toBe(0);
  await page.getByRole('button', { name: 'Whole run' }).click();
  await page.getByText('planning').waitFor();
});

testStudioAtLength('all four panes show what happens while it happens', async () => {
  const gate = new EventEmitter<{ open: [] }>();
  const held = once(gate, 'open').then(() => undefined);
  const slow = graphsAt({ callMs: 1, waits: ({ name }) => (name === 'model: decide' ? held : undefined) });
  const here = await studioHere({ graphs: slow });
  await here.engine.start(slow[0], { order: 'o', cents: 8_990 }, { id: 'live' });
  const page = await here.open('runs/live');
  await page.locator('.trow', { hasText: 'decide' }).filter({ hasText: 'running' }).waitFor();
  await page.getByRole('button', { name: /^decide .*running/u }).waitFor();
  expect(await page.locator('.tl .bar_.run').count()).toBe(1);
  gate.emit('open');
  await page.locator('.trow', { hasText: 'approve' }).filter({ hasText: 'waiting' }).waitFor();
  await page.getByText('Refund €89.90 for o?').waitFor();
  await page.getByRole('button', { name: /^decide .*completed/u }).waitFor();
  await expect.poll(() => page.locator('.tl .bar_.run').count()).toBe(0);
});
