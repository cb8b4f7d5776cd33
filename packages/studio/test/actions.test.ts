// What can be done on the page of a run, beside the main paths. In `npm run test:browser` alone.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { graph, workflow } from 'holdfast';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import { doomedWorker, kill } from './rig/doomed-worker.ts';
import { testStudioAtLength } from './rig/stores.ts';
import { type Studio, studioHere } from './rig/studio.ts';
import { graphs, triage } from './scene/graphs.ts';

const [refunds] = graphs;
// Not the synchronous one: the server that is asked is in this process.
const run = promisify(execFile);

async function waitingRun({ engine }: Studio, id: string): Promise<void> {
  await engine.start(refunds, { order: id, cents: 8_990 }, { id }).outcome();
}

async function endedRun(here: Studio, id: string): Promise<void> {
  await waitingRun(here, id);
  const ended = here.engine.get(refunds, id);
  await ended.answer('approval', { ok: true }, { by: 'ada' });
  await ended.result();
}

/** How the run of a page is. */
function pill(page: Page): Promise<string | null> {
  return page.locator('.runhead .pill').textContent();
}

testStudioAtLength('a failed run is resumed with a key', async () => {
  const here = await studioHere();
  await here.engine.start(triage, { text: '?' }, { id: 'tri' }).outcome();
  const page = await here.open('runs/tri');
  await page.getByRole('tab', { name: /^Error/u }).waitFor();
  const before = (await here.engine.get('tri').summary()).head;
  await page.keyboard.press('r');
  await expect.poll(async () => (await here.engine.get('tri').summary()).head).toBeGreaterThan(before + 1);
  await expect.poll(() => pill(page)).toBe('failed');
});

testStudioAtLength('a run is cancelled with a reason, after the page asked once more', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_1');
  const page = await here.open('runs/ord_1');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect(await pill(page)).toBe('waiting');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByLabel(/^Reason/u).fill('sold twice');
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await expect.poll(() => pill(page)).toBe('cancelled');
  await page.getByText('sold twice').first().waitFor();
});

testStudioAtLength('a message is sent to the run that waits for it', async () => {
  const parcel = workflow(
    'parcel',
    { input: z.object({}), receives: { scan: z.object({ place: z.string() }) } },
    async (_input, { receive }) => (await receive('scan')).place,
  );
  const here = await studioHere({ graphs: [parcel] });
  await here.engine.start(parcel, {}, { id: 'p' }).outcome();
  const page = await here.open('runs/p');
  await page.getByRole('heading', { name: 'Waits for the message scan' }).waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"place":"Bremen"}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => pill(page)).toBe('completed');
  expect(await here.engine.get('p').result()).toBe('Bremen');
});

testStudioAtLength('a pause ends when somebody resumes the run', async () => {
  const two = graph('two', { state: { n: z.int() } })
    .node('one', () => ({ n: 1 }))
    .node('other', () => ({ n: 2 }))
    .edge('start', 'one')
    .edge('one', 'other')
    .edge('other', 'end')
    .compile();
  const here = await studioHere({ graphs: [two] });
  await here.engine.start(two, { n: 0 }, { id: 't', pauseBefore: ['other'] }).outcome();
  const page = await here.open('runs/t?tab=question');
  await page.getByRole('heading', { name: 'Paused at other' }).waitFor();
  await page.locator('.qs').getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => pill(page)).toBe('completed');
});

testStudioAtLength('an effect of unknown outcome is settled by a person, and never repeated unasked', async () => {
  const here = await studioHere();
  await kill(await doomedWorker({ store: here.store, id: 'pay', cents: 1_240, fatal: 'transfer' }));
  await here.engine.recover();
  await here.engine.get('pay').outcome();
  const overview = await here.open('');
  await overview.getByText('Did transfer happen? Its worker died in the middle.').waitFor();
  await overview.getByRole('link', { name: /^Settle/u }).click();
  await overview.getByRole('heading', { name: 'Did transfer happen?' }).waitFor();
  await overview.locator('.cm-content').click();
  await overview.keyboard.press('Control+a');
  await overview.keyboard.insertText('"rc_7"');
  await overview.getByRole('button', { name: 'It happened' }).click();
  await expect.poll(async () => (await here.engine.get('pay').summary()).status).toBe('completed');
  expect(await here.engine.get(refunds, 'pay').state()).toMatchObject({ log: expect.arrayContaining(['paid: rc_7']) });
});

testStudioAtLength('an answer that lost goes on in a fork', async () => {
  const here = await studioHere();
  await waitingRun(here, 'ord_2');
  const page = await here.open('runs/ord_2');
  await page.getByRole('radio', { name: 'Yes' }).check({ force: true });
  await page.getByLabel(/^Note/u).fill('mine');
  await here.engine.get(refunds, 'ord_2').answer('approval', { ok: false }, { by: 'ada' });
  await page.getByRole('button', { name: 'Fork with my answer' }).click();
  await page.getByRole('button', { name: 'Fork and answer' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/ord_2'));
  await expect.poll(() => pill(page)).toBe('completed');
  const fork = here.engine.get(refunds, new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(await fork.state()).toMatchObject({ approved: true });
  expect(await here.engine.get(refunds, 'ord_2').state()).toMatchObject({ approved: false });
});

testStudioAtLength('a fork takes another way, and goes on at once', async () => {
  const here = await studioHere();
  await endedRun(here, 'ord_3');
  const page = await here.open('runs/ord_3');
  await page.locator('.trow', { hasText: 'decide' }).click();
  await page.getByRole('button', { name: /^Fork from here/u }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Next node' }).click();
  await dialog.getByLabel('approve').uncheck();
  await dialog.getByLabel('decline').check();
  await dialog.getByLabel('Id', { exact: true }).fill('declined');
  await dialog.getByRole('button', { name: 'Fork and resume' }).click();
  await page.waitForURL(/declined/u);
  await expect.poll(() => pill(page)).toBe('completed');
  expect(await here.engine.get(refunds, 'declined').state()).toMatchObject({
    log: expect.arrayContaining(['declined']),
  });
});

testStudioAtLength('what is copied does the same: in a shell with curl, and on the command line', async () => {
  const here = await studioHere();
  for (const id of ['ord_4', 'ord_5']) await waitingRun(here, id);
  const copied = async (id: string, form: string): Promise<string> => {
    const page = await here.open(`runs/${id}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('radio', { name: 'Yes' }).check({ force: true });
    await page.locator('.qs form').getByRole('button', { name: 'Copy as' }).click();
    await page.locator('[popover]:popover-open').getByRole('button', { name: form }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const curl = await copied('ord_4', 'curl');
  await run('sh', ['-c', `${curl} -sf`], { env: { ...process.env, HOLDFAST_TOKEN: here.server.token } });
  expect(await here.engine.get('ord_4').outcome()).toMatchObject({ status: 'completed' });
  expect(await copied('ord_5', 'TypeScript')).toBe(`await engine.get('ord_5').answer('approval', { ok: true });`);
  const command = await copied('ord_5', 'Command line');
  const bin = resolve(import.meta.dirname, '../../cli/bin/holdfast.js');
  const shell = command.replace(/^holdfast /u, `"${process.execPath}" "${bin}" --store '${here.store}' `);
  await run('sh', ['-c', shell]);
  expect(await here.engine.get('ord_5').outcome()).toMatchObject({ status: 'completed' });
});
