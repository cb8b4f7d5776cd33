// What a list says of a run without reading its journal, and what a caller that stops waiting gets.
import { workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, gate } from './every-place.ts';

const question = workflow(
  'question',
  { input: z.object({}), asks: { ok: { show: z.string(), answer: z.boolean() } } },
  async (_input, context) => context.ask('ok', 'Continue?'),
);

describeEverywhere('a summary', (place) => {
  test('says whether a run is due and who executes it', async () => {
    const here = place();
    const engine = await here.open({ graphs: [question], executes: false });
    const run = await engine.submit(question, {}, { id: 'r' });
    const submitted = { kind: 'graph', status: 'pending', wakeAt: expect.any(Date), worker: null };
    expect(await run.summary()).toMatchObject(submitted);
    await engine.close();
    const worker = await here.open({ graphs: [question], workerId: 'w-1' });
    await worker.recover();
    const found = await worker.get(question, 'r');
    await found.outcome();
    expect(await found.summary()).toMatchObject({
      status: 'waiting',
      waits: [{ kind: 'ask', name: 'ok' }],
      wakeAt: null,
      worker: null,
    });
    await worker.close();
    const inbox = await here.open({ executes: false });
    await (await inbox.get('r')).answer('ok', true);
    // Nobody has taken it up: it still stands where it waited, and is due.
    const answered = {
      status: 'waiting',
      waits: [{ kind: 'ask', name: 'ok' }],
      wakeAt: expect.any(Date),
      worker: null,
    };
    expect(await (await inbox.get('r')).summary()).toMatchObject(answered);
  });

  test('names the worker that executes a run, as long as it does', async () => {
    const { opened: finished, open: finish } = gate();
    const { opened: begun, open: begin } = gate();
    const busy = workflow('busy', { input: z.object({}) }, async (_input, { step }) =>
      step('work', async () => {
        begin();
        await finished;
      }),
    );
    const engine = await place().open({ workerId: 'w-1' });
    const run = await engine.start(busy, {}, { id: 'r' });
    await begun;
    expect(await run.summary()).toMatchObject({ worker: 'w-1' });
    finish();
    await run.result();
    expect(await run.summary()).toMatchObject({ status: 'completed', wakeAt: null, worker: null });
  });

  test('tells a journal run with a name from a graph run', async () => {
    const engine = await place().open();
    await engine.checkpoints.save('loop', { graph: 'my-agent', state: {} });
    const kinds: unknown[] = [];
    for await (const { id, kind, graph, wakeAt } of engine.runs()) kinds.push({ id, kind, graph, wakeAt });
    expect(kinds).toEqual([{ id: 'loop', kind: 'journal', graph: 'my-agent', wakeAt: null }]);
    await expect(engine.get('loop')).rejects.toMatchObject({
      code: 'HOLDFAST_NOT_FOUND',
      message: expect.stringContaining('Run "loop" is a journal run') as string,
    });
    await expect(engine.get('other')).rejects.toThrow('No run "other" exists');
  });
});

describeEverywhere('an aborted signal', (place) => {
  test('ends the waiting with its reason, as docs/errors.md says, and not the run', async () => {
    const engine = await place().open({ graphs: [question], executes: false });
    const run = await engine.submit(question, {}, { id: 'r' });
    const reason = new Error('enough');
    const waits = [
      (signal: AbortSignal) => run.outcome({ signal }),
      (signal: AbortSignal) => run.result({ signal }),
      async (signal: AbortSignal) => {
        for await (const event of run.events({ signal })) void event;
      },
    ];
    for (const wait of waits) {
      const given = new AbortController();
      const own = wait(given.signal);
      given.abort(reason);
      await expect(own).rejects.toBe(reason);
      await expect(wait(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
      await expect(wait(AbortSignal.timeout(1))).rejects.toMatchObject({ name: 'TimeoutError' });
    }
    expect(await run.summary()).toMatchObject({ status: 'pending' });
  });
});
