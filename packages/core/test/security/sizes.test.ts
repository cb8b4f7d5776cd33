import type { Run } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../../src/channel/channel.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { all, describeEverywhere } from '../engine/every-place.ts';

const tooLarge = { code: 'HOLDFAST_TOO_LARGE' };
/** 18 MB in UTF-8 and 6 million characters: over the limit only if bytes are counted. */
const wide = '漢'.repeat(6e6);

/** A list that contains the list below it twice, 30 levels deep: tiny in memory, endless as text. */
function bomb(): unknown {
  let made: unknown = [];
  for (let level = 0; level < 30; level += 1) made = [made, made];
  return made;
}

const values: readonly (readonly [what: string, make: () => unknown])[] = [
  ['18 MB in 6 million characters', () => wide],
  ['a bigint of 8 million digits', () => 1n << 26_000_000n],
  ['a billion values in 30 lists', bomb],
];

let runs = 0;

const stepper = workflow(
  'stepper',
  { input: z.object({ which: z.number(), once: z.boolean() }) },
  async ({ which, once }, { step }) => {
    const work = (): unknown => {
      runs += 1;
      return values[which]?.[1]();
    };
    return step('big', work, once ? { effect: 'once' } : {}).then(
      () => 'stored',
      (error: { code: string; cause?: { cause?: { code: string } } }) => [error.code, error.cause?.cause?.code],
    );
  },
);

async function refused(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const sender = workflow(
  'sender',
  {
    input: z.string(),
    asks: { ok: { show: z.unknown(), answer: z.unknown() } },
    receives: { mail: z.unknown() },
    emits: z.unknown(),
  },
  async (what, { ask: question, receive, emit, log }) => {
    if (what === 'emit') return refused(() => emit(wide));
    if (what === 'log') return refused(() => log(wide, wide));
    if (what === 'no text') return refused(() => values.forEach(([, make]) => log(make() as string)));
    if (what === 'show') return refused(() => question('ok', wide));
    if (what === 'throw') throw new Error(wide, { cause: new Error(wide) });
    await question('ok', '');
    return receive('mail');
  },
);

const halves = graph('halves', { state: { a: channel<string>(), b: channel<string>(), c: channel<string>() } })
  .node('both', ({ state }) => (state.c === 'small' ? { a: 'x' } : { a: 'x'.repeat(9e6), b: 'x'.repeat(9e6) }), {
    catch: (error) => ({ c: error.code }),
  })
  .edge('start', 'both')
  .edge('both', 'end')
  .compile();

const together = graph('together', { state: { a: channel<string>(), b: channel<string>() } })
  .node('left', () => ({ a: 'x'.repeat(9e6) }))
  .node('right', () => ({ b: 'x'.repeat(9e6) }))
  .edge('start', 'left')
  .edge('start', 'right')
  .edge('left', 'end')
  .edge('right', 'end')
  .compile();

describeEverywhere('16.4 sizes: one limit, in bytes, at the call', (place) => {
  test.each(values.map(([what], which) => [what, which] as const))(
    'a step that gives %s fails once, and the body sees it',
    async (_, which) => {
      const engine = await place().open();
      for (const once of [false, true]) {
        runs = 0;
        const run = await engine.start(stepper, { which, once });
        expect(await run.result()).toEqual(['HOLDFAST_STEP_FAILED', 'HOLDFAST_TOO_LARGE']);
        expect(runs).toBe(1);
      }
    },
  );

  test('a log line that is too large is cut, and fails nothing', async () => {
    const engine = await place().open();
    const run = await engine.start(sender, 'log');
    expect(await run.result()).toBe('accepted');
    const [line] = await all(engine.journal.read(run.id, { kind: 'log' }));
    expect(line?.payload).toMatchObject({ data: expect.stringContaining('not stored') });
  });

  test('a log line that is no text is not made one, however long that would take', async () => {
    const engine = await place().open();
    const run = await engine.start(sender, 'no text');
    expect(await run.result()).toBe('accepted');
    const lines = await all(engine.journal.read(run.id, { kind: 'log' }));
    const messages = lines.map(({ payload }) => (payload as { message: string }).message);
    expect(messages.slice(1)).toEqual(['[object BigInt]', '[object Array]']);
  });

  test.each(['emit', 'show'])('%s of a value that is too large throws where it is called', async (what) => {
    const engine = await place().open();
    expect(await (await engine.start(sender, what)).result()).toBe('HOLDFAST_TOO_LARGE');
  });

  test.each([
    ['bytes', new Uint8Array(20e6)],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('trap');
          },
        },
      ),
    ],
    ['a list', []],
    ['a text', 'x'],
  ])('a fork is not edited by %s', async (_, set) => {
    const engine = await place().open();
    const run = await engine.start(halves, { c: 'small' }, { id: 'r' });
    await run.result();
    for (const handle of [run as unknown as Run, await engine.get('r')]) {
      await expect(handle.fork({ set })).rejects.toMatchObject({
        code: 'HOLDFAST_INVALID_OPTION',
        details: { option: 'set' },
      });
    }
  });

  test('inputs, answers, messages, records and checkpoints are refused, and the run continues', async () => {
    const engine = await place().open();
    await expect(engine.start(sender, wide)).rejects.toMatchObject(tooLarge);
    const run = await engine.start(sender, '', { id: 'r' });
    await run.outcome();
    for (const handle of [run as unknown as Run, await engine.get('r')]) {
      await expect(handle.answer('ok', wide)).rejects.toMatchObject(tooLarge);
      await expect(handle.send('mail', wide)).rejects.toMatchObject(tooLarge);
      await expect(handle.answer('ok', 1, { by: wide })).rejects.toMatchObject(tooLarge);
      await expect(handle.cancel(wide)).rejects.toMatchObject(tooLarge);
    }
    await expect(run.fork({ label: wide })).rejects.toMatchObject(tooLarge);
    await expect(engine.journal.append('r', { payload: wide })).rejects.toMatchObject(tooLarge);
    await expect(engine.checkpoints.save('j', { state: { wide } })).rejects.toMatchObject(tooLarge);
    await run.answer('ok', 1);
    await run.send('mail', 'small');
    expect(await run.result()).toBe('small');
  });

  test('an error with an endless message is kept, shortened, with its causes', async () => {
    const engine = await place().open();
    const outcome = await (await engine.start(sender, 'throw', { id: 'r' })).outcome();
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    expect(outcome.error).toMatchObject({ code: 'HOLDFAST_NODE_FAILED' });
    expect(outcome.error.message.length).toBeLessThan(20_000);
    expect(outcome.error.message).toMatch(/more characters/u);
    expect((await engine.runs({ idPrefix: 'r' })[Symbol.asyncIterator]().next()).value).toMatchObject({
      status: 'failed',
    });
  });

  test('channels that are too large together fail their node, and its catch sees it', async () => {
    const engine = await place().open();
    const run = await engine.start(halves, {});
    expect(await run.result()).toMatchObject({ c: 'HOLDFAST_TOO_LARGE' });
  });

  test('nodes that are too large together fail the run, and resume tries it again', async () => {
    const engine = await place().open();
    const run = await engine.start(together, {}, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ status: 'failed', error: tooLarge });
    expect(await engine.verify()).toMatchObject({ ok: true });
    const again = await run.resume();
    expect(await again.outcome()).toMatchObject({ status: 'failed', error: tooLarge });
    expect(await all(engine.runs())).toMatchObject([{ id: 'r', status: 'failed' }]);
    expect(await engine.delete('r')).toBe(true);
  });
});
