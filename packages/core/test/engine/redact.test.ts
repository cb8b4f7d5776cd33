import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../../src/channel/channel.ts';
import { list } from '../../src/channel/list.ts';
import { openEngine } from '../../src/engine/open.ts';
import type { Redact } from '../../src/engine/transfer/redact/redact.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { replay } from '../../src/testing/fixture/replay.ts';
import { all } from './every-place.ts';
import { exported } from './exported.ts';

const secret = 'hunter2';

/** Puts the secret wherever user data can be. */
const leaky = graph('leaky', {
  state: {
    customer: channel<Readonly<Record<string, unknown>>>(),
    log: list<{ readonly text: string }>(),
    vault: channel<unknown>(),
    n: channel<number>(),
  },
  asks: { ok: { show: z.string(), answer: z.string() } },
  receives: { mail: z.string() },
  emits: z.string(),
})
  .node('first', async ({ step, emit, log }) => {
    const found = await step('look up', () => `${secret} looked up`);
    emit(`${secret} emitted`);
    log(`${secret} in a line`, { text: `${secret} in its data` });
    return { customer: { name: 'Ada', email: found }, log: { text: `${secret} logged` }, n: 1 };
  })
  .node('second', async ({ state, ask: question, receive }) => {
    const answer = await question('ok', `${secret} shown`);
    const mail = await receive('mail');
    const vault = new Map([['key', new Set([mail])]]);
    return {
      customer: { ...state.customer, email: `${secret} changed`, answer },
      log: { text: `${secret} again` },
      vault,
      n: 2,
    };
  })
  .node('third', () => {
    throw new Error(`${secret} in an error`);
  })
  .edge('start', 'first')
  .edge('first', 'second')
  .edge('second', 'third')
  .edge('third', 'end')
  .compile();

const everything: Redact = [
  '/state/customer/email',
  '/state/customer/answer',
  '/state/log/*/text',
  '/state/vault',
  '/results/*',
  '/questions/*',
  '/answers/ok',
  '/by',
  '/messages/mail',
  '/emits',
  '/notes/text',
  '/logs/message',
  '/logs/data/text',
  '/meta/by',
  '/errors/message',
  '/errors/details',
  '/tags/owner',
];

async function leakyRun(store = memoryStore()) {
  const engine = await openEngine(store, { graphs: [leaky] });
  const run = await engine.start(leaky, {}, { id: 'leaky', tags: { owner: secret, kind: 'plain' } });
  await run.outcome();
  await engine.journal.append('leaky', { payload: { text: `${secret} noted` }, meta: { by: `${secret} meta` } });
  await run.answer('ok', `${secret} answered`, { by: secret });
  await run.send('mail', `${secret} sent`);
  expect(await run.outcome()).toMatchObject({ status: 'failed' });
  return { engine, run };
}

describe('export() with redact', () => {
  test('lets nothing out that a pointer leads to, and keeps the rest', async () => {
    const { engine } = await leakyRun();
    const plain = new TextDecoder().decode(await exported(engine.export('leaky')));
    expect(plain.split(secret).length).toBeGreaterThan(12);
    const file = await exported(engine.export('leaky', { redact: everything }));
    const text = new TextDecoder().decode(file);
    expect(text).not.toContain(secret);
    expect(text).toContain('"redacted":true');
    expect(text).toContain('Ada');
    await engine.close();
  });

  test('shows a function every value, with its pointer', async () => {
    const { engine } = await leakyRun();
    const pointers = new Set<string>();
    const redact = (pointer: string, value: unknown): unknown => {
      pointers.add(pointer);
      return typeof value === 'string' && value.includes(secret) ? value.replaceAll(secret, '***') : value;
    };
    const text = new TextDecoder().decode(await exported(engine.export('leaky', { redact })));
    expect(text).not.toContain(secret);
    expect(text).toContain('*** looked up');
    for (const pointer of [
      '/state/log/1/text',
      '/state/customer/email',
      '/results/look up',
      '/tags/owner',
      '/errors',
    ]) {
      expect(pointers).toContain(pointer);
    }
    await engine.close();
  });

  test.each([everything, ['/state/customer', '/state/log'], ['/state/vault/key/0', '/state/*']])(
    'gives a run that can be read and not gone on with: %j',
    async (...redact: readonly string[]) => {
      const { engine, run } = await leakyRun();
      const before = await all(run.history());
      const file = await exported(engine.export('leaky', { redact }));
      await using other = await openEngine(memoryStore(), { graphs: [leaky] });
      expect(await other.import(file)).toMatchObject({ redacted: true, imported: 1 });
      expect(await other.import(file)).toMatchObject({ redacted: true, imported: 0 });
      const shown = await other.get(leaky, 'leaky');
      const after = await all(shown.history());
      expect(after.map(({ id, next, superstep: step }) => ({ id, next, step }))).toEqual(
        before.map(({ id, next, superstep: step }) => ({ id, next, step })),
      );
      expect(await shown.diff(String(after.at(-1)?.id), String(after[0]?.id))).not.toEqual([]);
      await expect(shown.resume()).rejects.toMatchObject({ code: 'HOLDFAST_RUN_ENDED' });
      expect(await shown.outcome()).toMatchObject({
        status: 'cancelled',
        reason: expect.stringContaining('redacted') as string,
      });
      expect(await other.verify()).toMatchObject({ ok: true });
      await engine.close();
    },
  );

  test('redacts what a trimmed run, a fork and a journal run begin with', async () => {
    const { engine, run } = await leakyRun();
    const [latest] = await all(run.history());
    await run.fork({ id: 'fork', at: String(latest?.id), set: { vault: secret } });
    await engine.checkpoints.save('loop', { state: { secret, n: 1 }, metadata: { custom: secret } });
    await engine.journal.append('loop', { payload: secret });
    const loop = await engine.checkpoints.latest('loop');
    await engine.checkpoints.fork(String(loop?.id), { id: 'loop-fork', set: { secret: `${secret} 2` } });
    await engine.prune({ runId: 'leaky', keep: 1 });
    const redact = [...everything, '/state/secret', '/metadata/custom', '/notes'];
    await using other = await openEngine(memoryStore(), { graphs: [leaky] });
    for (const id of ['leaky', 'fork', 'loop-fork', 'loop']) {
      const file = await exported(engine.export(id, { redact }));
      expect(new TextDecoder().decode(file)).not.toContain(secret);
      await other.import(file);
    }
    expect(await (await other.get(leaky, 'fork')).state()).toMatchObject({ n: 2, vault: '[redacted]' });
    expect((await other.checkpoints.latest('loop-fork'))?.state).toEqual({ secret: '[redacted]', n: 1 });
    expect(await other.verify()).toMatchObject({ ok: true });
    await engine.close();
  });

  test('hides the input and the output of a workflow, and its hash', async () => {
    const echo = workflow('echo', { input: z.object({ word: z.string() }) }, async ({ word }) => ({ said: word }));
    await using engine = await openEngine(memoryStore(), { graphs: [echo] });
    const run = await engine.start(echo, { word: secret }, { id: 'echo' });
    await run.result();
    const file = await exported(engine.export('echo', { redact: ['/input/word', '/output/said'] }));
    expect(new TextDecoder().decode(file)).not.toContain(secret);
    expect(new TextDecoder().decode(file)).toContain('"hash":""');
    await using other = await openEngine(memoryStore(), { graphs: [echo] });
    await other.import(file);
    expect(await (await other.get(echo, 'echo')).result()).toEqual({ said: '[redacted]' });
    const { outcome } = await replay(echo, await exported(engine.export('echo')));
    expect(outcome).toMatchObject({ output: { said: secret } });
  });

  test('refuses a pointer that leads nowhere', async () => {
    await using engine = await openEngine(memoryStore());
    for (const pointer of ['state/a', '/stat/a', '', '/']) {
      await expect(exported(engine.export('x', { redact: [pointer] }))).rejects.toMatchObject({
        code: 'HOLDFAST_INVALID_OPTION',
      });
    }
  });
});
