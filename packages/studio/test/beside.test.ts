// The studio beside a program that executes runs in a process of its own. In `npm run test:browser` alone.
import { expect } from 'vitest';
import { doomedWorker, kill } from './rig/doomed-worker.ts';
import { testStudioAtLength } from './rig/stores.ts';
import { studioHere } from './rig/studio.ts';

testStudioAtLength('who may only read sees a run of another process live, and can change nothing', async () => {
  const here = await studioHere({ readOnly: true, engine: { executes: false } });
  const worker = await doomedWorker({ store: here.store, id: 'ord_1' });
  const page = await here.open('runs/ord_1');
  await page.locator('.trow', { hasText: 'running' }).waitFor();
  await page.getByRole('button', { name: /^fraud .*running/u }).waitFor();
  expect(await page.locator('.facts').textContent()).toContain('doomed');
  for (const name of [/^Fork/u, /^Cancel/u])
    expect(await page.locator('.runhead').getByRole('button', { name }).isDisabled()).toBe(true);
  await page.keyboard.press('f');
  expect(await page.locator('dialog[open]').count()).toBe(0);
  await kill(worker);
  await page.getByText('The next worker that looks takes the run over.').waitFor();
});

testStudioAtLength('without the code, a run is read and answered all the same', async () => {
  const here = await studioHere({ graphs: [], engine: { executes: false } });
  const { openEngine } = await import('holdfast');
  const { graphs } = await import('./scene/graphs.ts');
  const program = await openEngine(here.store as 'memory:', { graphs: [...graphs] });
  await program.start(graphs[0], { order: 'ord_2', cents: 8_990 }, { id: 'ord_2' }).outcome();
  const work = program.work();
  const page = await here.open('runs/ord_2');
  await page.getByText('This server was started without the code of').waitFor();
  await page.getByRole('radio', { name: 'Yes' }).check({ force: true });
  await page.locator('.qs form button[type="submit"]').click();
  await expect.poll(() => page.locator('.runhead .pill').textContent()).toBe('completed');
  await work.stop();
  await program.close();
});
