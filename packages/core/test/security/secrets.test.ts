import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { openEngine } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/channel/list.ts';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { all, describeEverywhere } from '../engine/every-place.ts';
import { exported } from '../engine/exported.ts';

const secret = 'hunter2';
const key = { id: 'k1', key: randomBytes(32) };

const leaky = workflow(
  'leaky',
  { input: z.string(), asks: { ok: { show: z.string(), answer: z.boolean() } }, receives: { mail: z.string() } },
  async (input, { ask: question }) => `${input} ${await question('ok', input)}`,
);

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

/** Says a secret of each kind. */
const talking = workflow(
  'talking',
  {
    input: z.null(),
    asks: { ok: { show: z.string(), answer: z.string() } },
    receives: { mail: z.string() },
  },
  async (_, { ask: question, receive, step, log }) => {
    log(`${secret}-logs`);
    await step('s', () => `${secret}-results`);
    await question('ok', `${secret}-questions`);
    await receive('mail');
  },
);

const keeping = graph('keeping', { state: { note: z.string(), more: list<string>() } })
  .node('only', ({ state }) => ({ more: state.note }))
  .edge('start', 'only')
  .edge('only', 'end')
  .compile();

describeEverywhere('16.10 secrets', (place) => {
  test('ids, sources and labels of records, and labels of forks, can be redacted', async () => {
    const engine = await place().open();
    const run = await engine.start(leaky, 'in', { id: 'r', turn: `t-${secret}` });
    await run.outcome();
    await run.send('mail', 'x', { id: `m-${secret}` });
    await engine.journal.append('r', {
      id: `note-${secret}`,
      source: `custom:${secret}`,
      labels: ['plain', secret],
    });
    const fork = await run.fork({ id: 'f', label: `because of ${secret}` });
    await engine.checkpoints.save('j', { state: {}, id: `c-${secret}`, label: secret });
    await engine.checkpoints.fork((await engine.checkpoints.latest('j'))?.id ?? '', { id: 'jf', label: secret });
    const redact = ['/ids', '/sources', '/labels/*', '/label'];
    for (const id of ['r', fork.id, 'j', 'jf']) {
      const bytes = await exported(engine.export(id, { redact }));
      expect(Buffer.from(bytes).toString()).not.toContain(secret);
      const copy = await place().open();
      expect(await copy.import(bytes)).toMatchObject({ runId: id, redacted: true });
      expect(await copy.verify()).toMatchObject({ ok: true });
      expect((await copy.journal.tail(id, 100)).length).toBeGreaterThan(0);
    }
    const shown = await exported(engine.export('r', { redact: (_, value) => (value === secret ? 'shown' : value) }));
    expect(Buffer.from(shown).toString()).toContain('"labels":["plain","shown"]');
  });

  test.each(['/state', '/results', '/questions', '/answers', '/messages', '/logs', '/tags'])(
    'a pointer without a name redacts all of it: %s',
    async (pointer) => {
      const engine = await place().open();
      const run = await engine.start(talking, null, { id: 'r', tags: { t: `${secret}-tags` } });
      await run.outcome();
      await run.answer('ok', `${secret}-answers`);
      await run.send('mail', `${secret}-messages`);
      await run.result();
      await (await engine.start(keeping, { note: `${secret}-state` }, { id: 'g' })).result();
      await engine.checkpoints.save('j', { state: { note: `${secret}-state` } });
      const root = pointer.slice(1);
      for (const id of root === 'state' ? ['g', 'j'] : ['r']) {
        expect(textOf(await exported(engine.export(id)))).toContain(`${secret}-${root}`);
        expect(textOf(await exported(engine.export(id, { redact: [pointer] })))).not.toContain(`${secret}-${root}`);
      }
    },
  );

  test('an engine with keys exports what only the keys can read, unless it is told otherwise', async () => {
    const encryption = { keys: [key] };
    const engine = await place().open({ encryption });
    const card = '4111-1111';
    const run = await engine.start(leaky, card, { id: 'r' });
    await run.outcome();
    await engine.checkpoints.save('j', { state: { card }, label: 'one' });
    for (const id of ['r', 'j']) {
      const file = await exported(engine.export(id));
      expect(Buffer.from(file).toString()).not.toContain(card);
      expect(Buffer.from(await exported(engine.export(id, { encrypt: false }))).toString()).toContain(card);
      const keyless = await place().open();
      await expect(keyless.import(file)).rejects.toMatchObject({ code: 'HOLDFAST_MISSING_KEY' });
      expect(await all(keyless.runs())).toEqual([]);
      const wrong = await place().open({ encryption: { keys: [{ ...key, key: randomBytes(32) }] } });
      await expect(wrong.import(file)).rejects.toMatchObject({ code: 'HOLDFAST_WRONG_KEY' });
    }
    const copy = await place().open({ encryption: { ...encryption, strict: true } });
    await copy.import(await exported(engine.export('r')));
    await copy.import(await exported(engine.export('j')));
    expect((await copy.checkpoints.latest('j'))?.state).toEqual({ card });
    const moved = await copy.get(leaky, 'r');
    await moved.answer('ok', true);
    expect(await moved.result()).toBe(`${card} true`);
    const plain = await place().open();
    await expect(all(plain.export('r', { encrypt: true }))).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('strict encryption refuses plain records, and they can still be deleted', async () => {
    const there = place();
    const plain = await there.open();
    await (await plain.start(leaky, 'in', { id: 'r' })).outcome();
    await plain.checkpoints.save('j', { state: { a: 1 } });
    await plain.close();
    const strict = await there.open({ encryption: { keys: [key], strict: true }, graphs: [leaky] });
    const run = await strict.get('r');
    await expect(run.state()).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', message: /not encrypted/u });
    await expect(run.answer('ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    expect(await strict.checkpoints.latest('j')).toBeUndefined();
    expect(await strict.verify()).toMatchObject({ ok: false });
    await (await strict.start(leaky, 'in', { id: 's' })).outcome();
    expect(await strict.delete('r')).toBe(true);
    expect(await strict.delete('j')).toBe(true);
    expect(await strict.verify()).toMatchObject({ ok: true });
    expect((await all(strict.runs())).map(({ id }) => id)).toEqual(['s']);
  });
});

describe('openEngine()', () => {
  test.each([
    `postgres://ada:${secret}/runs`,
    `postgres:ada:${secret}`,
    `postgres://ada:p@${secret}@db/runs`,
    `postgres://ada:12/${secret}@db/runs`,
    `postgres://ada:p@ss?${secret}@db/runs`,
    `postgres://ada:${secret}%@db/runs`,
    `postgres://ada@db/runs?password=x@${secret}`,
    `mysql://ada:${secret}@db/runs`,
    `sqlite://ada:${secret}@db/runs`,
    `file://ada:${secret}@db/runs`,
    `file:///ada:${secret}@db/runs`,
    `sqlite:runs.db?password=${secret}`,
  ])('keeps the password of a rejected URL to itself: %s', async (url) => {
    const error: unknown = await openEngine(url as never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  test('keeps the password of a server that it cannot reach to itself', async () => {
    // Nothing listens on port 1.
    const url = `postgres://ada:${secret}@127.0.0.1:1/runs` as const;
    const error: unknown = await openEngine(url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'HOLDFAST_STORE_UNAVAILABLE' });
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(inspect(error)).not.toContain(secret);
  });

  test.each([
    { keys: [key], strict: 1 },
    { keys: [key], strikt: true },
  ])('refuses an encryption option', async (given) => {
    await expect(openEngine('memory:', { encryption: given as never })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
  });
});
