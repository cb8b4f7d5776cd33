import { channel, graph, type JournalRecord, list, openEngine, type Run, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { logEntries } from './log-entries.ts';

let tries = 0;
const agent = graph('agent', {
  state: {
    log: list<string>(),
    ok: channel<boolean>(),
    a: channel<number>(),
    b: channel<number>(),
    c: channel<number>(),
  },
  asks: { approval: { show: z.string(), answer: z.object({ ok: z.boolean() }) } },
})
  .node(
    'lookup',
    () => {
      tries += 1;
      if (tries < 3) throw new Error('busy');
      return { log: 'found' };
    },
    { retry: { attempts: 3, backoff: 1 } },
  )
  .node('fraud', () => ({ a: 1, b: 2, c: 3 }))
  .node('approve', async ({ ask }) => ({ ok: (await ask('approval', 'Refund?')).ok }))
  .edge('start', ['lookup', 'fraud'])
  .edge(['lookup', 'fraud'], 'approve')
  .edge('approve', 'end')
  .compile();

const flaky = workflow('flaky', { input: z.object({}) }, async (_, { step }) => {
  await step('model', failOnce, { retry: { attempts: 2, backoff: '1ms' } });
  await step('tool', failOnce);
});

function failOnce({ attempt }: { readonly attempt: number }): void {
  if (attempt === 1) throw new Error('reset');
}

async function logOf(
  engine: Awaited<ReturnType<typeof openEngine>>,
  { id }: Pick<Run, 'id'>,
): Promise<readonly string[]> {
  const records: JournalRecord[] = [];
  for await (const record of engine.journal.read(id)) records.push(record);
  const summary = await (await engine.get(id)).summary();
  return logEntries(records, summary).map(({ nodes, what }) => `${nodes}: ${what.replace(/in \d+ms/u, 'soon')}`);
}

describe('logEntries()', () => {
  test('shows the lines that bodies logged', async () => {
    const logging = workflow('logging', { input: z.object({}) }, async (_, { log }) => {
      log('two\nlines', { cents: 5 });
      log('alone');
    });
    await using engine = await openEngine('memory:');
    const run = await engine.start(logging, {});
    await run.result();
    expect((await logOf(engine, run)).slice(1, 3)).toEqual([
      expect.stringMatching(/^main: two.*lines cents=5$/),
      'main: alone',
    ]);
  });

  test('shows super-steps with their attempts, questions, answers and the end', async () => {
    await using engine = await openEngine('memory:');
    const run = await engine.start(agent, { log: 'began' }, { id: 'r' });
    await run.outcome();
    const begun = ['start: changed log, ok, a, b, c', 'lookup ∥ fraud: 4 channels changed (lookup: 3 tries)'];
    const waiting = await logOf(engine, run);
    const failed = 'lookup: failed, next attempt soon: busy';
    expect(waiting.slice(1)).toEqual([failed, failed, begun[1], 'approve: waiting']);
    const forked = await run.fork({ set: { log: [] }, label: 'what-if' });
    expect((await logOf(engine, forked)).at(-1)).toBe('fork: set log');
    await run.answer('approval', { ok: false }, { by: 'ada' });
    await run.result();
    expect((await logOf(engine, run)).slice(4)).toEqual([
      'approve: answered ok=false by ada',
      'approve: changed ok',
      'end: completed',
    ]);
    await forked.cancel('no more');
    expect((await logOf(engine, forked)).slice(-2)).toEqual(['cancel: no more', 'end: cancelled: no more']);
  });

  test('shows the failures of steps, and what comes after them', async () => {
    await using engine = await openEngine('memory:');
    const run = await engine.start(flaky, {});
    await run.outcome();
    expect((await logOf(engine, run)).slice(1)).toEqual([
      'main: model failed, next attempt soon: reset',
      'main: tool failed: reset',
      'main: failed: Step tool failed: reset',
      'end: failed: Step tool failed: reset',
    ]);
  });
});
