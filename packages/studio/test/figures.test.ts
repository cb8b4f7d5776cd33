// How large a run may be before its page is no pleasure any more. In `npm run test:browser` alone: times are measured, the
// fastest of several, and those of a page's own work as CPU time, so that a busy machine is not mistaken for a slow page.
import { type AnyGraph, graph, list, workflow } from 'holdfast';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import { testStudioAtLength } from './rig/stores.ts';
import { type Studio, studioHere } from './rig/studio.ts';

/** Rows that a page may have, whatever it shows. */
const mostRows = 500;

/** The CPU time of the page's main thread, in milliseconds. */
async function cpuOf(page: Page): Promise<() => Promise<number>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** How long an act takes in a page: the fastest of five. */
async function fastest(act: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5; time += 1) least = Math.min(least, await act());
  return least;
}

const megabyte = 1_000_000;

/** A run with a state of more than 5 MB: 40,000 items, some of them long. */
const large = graph('large', {
  state: { items: list<{ id: number; text: string; tags: string[] }>(), note: z.string().default('') },
})
  .node('fill', () => ({
    items: Array.from({ length: 40_000 }, (_, id) => ({ id, text: `item ${id} `.repeat(8), tags: ['a', 'b'] })),
  }))
  .node('note', () => ({ note: 'done' }))
  .edge('start', 'fill')
  .edge('fill', 'note')
  .edge('note', 'end')
  .compile();

/** Rows of trees, lists and tables that are in the page. */
function rowsIn(page: Page): Promise<number> {
  return page.locator('[role="treeitem"], [role="option"], tr, li').count();
}

/** The time of the page and that of the server, which is in this process: what it takes where nothing else runs. */
testStudioAtLength('a state of 5 MB opens within 200 ms, and never puts more than 500 rows into the page', async () => {
  const here = await studioHere({ graphs: [large] });
  await here.engine.start(large, {}, { id: 'l' }).result();
  expect(JSON.stringify(await here.engine.get('l').state()).length).toBeGreaterThan(5 * megabyte);
  const page = await here.open('runs/l?tab=journal');
  await page.locator('.jrb').first().waitFor();
  const cpu = await cpuOf(page);
  const tookMs = await fastest(async () => {
    await page.getByRole('tab', { name: /^Journal/u }).click();
    await page.locator('.jrb').first().waitFor();
    const [before, server] = [await cpu(), process.cpuUsage()];
    await page.getByRole('tab', { name: /^State/u }).click();
    await page.getByRole('treeitem').first().waitFor();
    const { user, system } = process.cpuUsage(server);
    return (await cpu()) - before + (user + system) / 1_000;
  });
  expect(tookMs).toBeLessThanOrEqual(200);
  const tree = page.getByRole('tree', { name: 'State' });
  await tree.getByRole('treeitem', { name: /^items/u }).click();
  await tree.getByRole('treeitem', { name: /^7/u }).first().waitFor();
  for (const end of ['End', 'Home', 'End']) {
    await tree.press(end);
    expect(await rowsIn(page)).toBeLessThanOrEqual(mostRows);
  }
});

const counting = graph('counting', { state: { n: z.int(), last: z.int() } })
  .node('add', ({ state }) => ({ n: state.n + 1 }))
  .edge('start', 'add')
  .route('add', ['add', 'end'], ({ n, last }) => (n < last ? 'add' : 'end'))
  .compile();

/**
 * Usable: the page is there within 2 s of its own work; a key moves the selection within 100 ms of it; it has at most 500
 * rows; its oldest checkpoint is reached; and any two checkpoints are compared.
 */
testStudioAtLength('a run with 10,000 checkpoints is usable', async () => {
  const here: Studio = await studioHere({ graphs: [counting] });
  await here.engine.start(counting, { n: 0, last: 10_000 }, { id: 'c', maxSupersteps: 20_000 }).result();
  const page = await here.open('runs');
  const cpu = await cpuOf(page);
  await page.getByRole('link', { name: 'c', exact: true }).click();
  await page.locator('.trow').first().waitFor();
  await page.getByRole('tab', { name: /^Journal 10,0/u }).waitFor();
  expect(await cpu()).toBeLessThanOrEqual(2_000);
  const selected = (): Promise<string | null> => page.locator('.trow[aria-selected="true"] .sq').textContent();
  const first = await selected();
  const perKeyMs = await fastest(async () => {
    const [before, at] = [await cpu(), await selected()];
    await page.keyboard.press('j');
    await expect.poll(selected).not.toBe(at);
    return (await cpu()) - before;
  });
  expect(perKeyMs).toBeLessThanOrEqual(100);
  expect(await selected()).not.toBe(first);
  expect(await rowsIn(page)).toBeLessThanOrEqual(mostRows);
  await page.goto(`${new URL(page.url()).origin}/runs/c?at=1`);
  await expect.poll(selected).toBe('@1');
  await page.goto(`${new URL(page.url()).origin}/compare?a=c@1&b=c`);
  await page.getByText('1 change in 1 of 2 channels').waitFor();
});

/** A builder that nodes are added to in a loop, which its own type cannot follow. */
interface Growing {
  node(name: string, fn: () => object): Growing;
  edge(from: string, to: string | readonly string[]): Growing;
  compile(): AnyGraph;
}

/** A graph of 200 nodes: forty rows of five, each node connected with all of the next row. */
function grid(): AnyGraph {
  let built = graph('grid', { state: { n: z.int().default(0) } }) as unknown as Growing;
  const rows = Array.from({ length: 40 }, (_, row) => Array.from({ length: 5 }, (_, at) => `n${row}_${at}`));
  for (const name of rows.flat()) built = built.node(name, () => ({}));
  built = built.edge('start', rows[0] ?? []);
  for (const [at, row] of rows.entries()) for (const name of row) built = built.edge(name, rows[at + 1] ?? 'end');
  return built.compile();
}

testStudioAtLength('a graph of 200 nodes is drawn within 300 ms', async () => {
  const here = await studioHere({ graphs: [grid()] });
  const page = await here.open('graphs');
  const cpu = await cpuOf(page);
  const tookMs = await fastest(async () => {
    const before = await cpu();
    await page.getByRole('link', { name: 'grid', exact: true }).click();
    await page.locator('svg.g rect.nd').nth(199).waitFor({ state: 'attached' });
    const took = (await cpu()) - before;
    await page.goBack();
    await page.getByRole('link', { name: 'grid', exact: true }).waitFor();
    return took;
  });
  expect(tookMs).toBeLessThanOrEqual(300);
});

const quick = workflow('quick', { input: z.object({ n: z.int() }) }, async ({ n }) => n);

testStudioAtLength('runs are paged, and a page has no more rows than its size', async () => {
  const here = await studioHere({ graphs: [quick] });
  for (let n = 0; n < 120; n += 1)
    await here.engine.start(quick, { n }, { id: `q-${String(n).padStart(3, '0')}` }).result();
  const page = await here.open('runs');
  await page.getByRole('link', { name: 'q-119' }).waitFor();
  const rows = await page.locator('tbody tr').count();
  expect(rows).toBeLessThanOrEqual(100);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('link', { name: `q-${String(119 - rows).padStart(3, '0')}` }).waitFor();
  expect(await page.getByRole('link', { name: 'q-119' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByRole('link', { name: 'q-119' }).waitFor();
});
