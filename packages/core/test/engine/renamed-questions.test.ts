import { graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, type Place } from './every-place.ts';

const ok = { show: z.string(), answer: z.boolean() };

function judging(version: number, question: 'approve' | 'consent') {
  return graph('flow', {
    state: { log: list<string>() },
    asks: { [question]: ok },
    receives: { go: z.number() },
    version,
    ...(version > 1 && { migrate: { 1: { asks: { approve: 'consent' } } } }),
  })
    .node('judge', async (c) => ({ log: `v${version} ${await c.ask(question, 'q')}` }))
    .node('rests', async ({ receive }) => ({ log: `${await receive('go')}` }))
    .edge('start', 'judge')
    .edge('judge', 'rests')
    .edge('rests', 'end')
    .compile();
}

const first = judging(1, 'approve');
const second = judging(2, 'consent');

/** Asks twice by the same name. */
function asking(version: number, question: 'approve' | 'consent') {
  return graph('flow', {
    state: { log: list<string>() },
    asks: { [question]: ok },
    version,
    ...(version > 1 && { migrate: { 1: { asks: { approve: 'consent' } } } }),
  })
    .node('a', async (c) => ({ log: `a ${await c.ask(question, 'q')}` }))
    .node('b', async (c) => ({ log: `b ${await c.ask(question, 'q')}` }))
    .edge('start', 'a')
    .edge('a', 'b')
    .edge('b', 'end')
    .compile();
}

/** A run that waits for the question, and its id. */
async function waiting(here: Place): Promise<string> {
  const engine = await here.open();
  await (await engine.start(first, {}, { id: 'r' })).outcome();
  const [question] = await all(engine.asks());
  await engine.close();
  return question?.id as string;
}

/** Asks two questions at once, of which each version renames the second. The first code takes anything for an answer. */
function step(version: 1 | 2 | 3) {
  const migrate = { 1: { asks: { q1: 'q2' } }, 2: { asks: { q2: 'q3' } } };
  const taken = version === 1 ? z.union([z.boolean(), z.string()]) : z.boolean();
  return graph('steps', {
    state: { log: list<string>() },
    asks: { first: ok, [`q${version}`]: { show: z.string(), answer: taken } },
    version,
    migrate: Object.fromEntries(Object.entries(migrate).slice(0, version - 1)),
  })
    .node('asks', async (c) => {
      const answers = [c.ask('first', 'a'), c.ask(`q${version}`, 'b')];
      return { log: (await Promise.all(answers)).join(' ') };
    })
    .edge('start', 'asks')
    .edge('asks', 'end')
    .compile();
}

/** A run that was started at version 1 and executed by these others; gives the id of the question that is still open. */
async function migrated(here: Place, ...stops: readonly number[]): Promise<string> {
  let engine = await here.open();
  await engine.start(step(1), {}, { id: 'r' }).outcome();
  const questions = await all(engine.asks());
  for (const version of stops) {
    await engine.close();
    engine = await here.open({ graphs: [step(version as 1)] });
    const run = engine.get(step(version as 1), 'r');
    // The first of them ends one of the waits; the others find nothing to do but to migrate.
    if (version === stops[0]) await run.answer('first', true);
    else await run.resume();
    await run.outcome();
  }
  await engine.close();
  return questions.find(({ name }) => name === 'q1')?.id as string;
}

const ways = [
  { by: 'its new name', name: 'consent', hasId: false },
  { by: 'its old name', name: 'approve', hasId: false },
  { by: 'its id and its new name', name: 'consent', hasId: true },
  { by: 'its id and its old name', name: 'approve', hasId: true },
] as const;

describeEverywhere('a question that a migration renames while a run waits for it', (place) => {
  test.each(ways)('is answered by $by, with the new code', async ({ name, hasId }) => {
    const here = place();
    const id = await waiting(here);
    const engine = await here.open({ graphs: [second] });
    const run = await engine.get(second, 'r');
    const options = hasId ? { id } : {};
    await expect(run.answer(name as never, 'yes' as never, options)).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_VALUE',
    });
    await run.answer(name as never, true, options);
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }], state: { log: ['v2 true'] } });
    // Repeats and other answers are told apart after the migration too.
    await run.answer(name as never, true, options);
    await expect(run.answer(name as never, false, options)).rejects.toMatchObject({
      code: 'HOLDFAST_ALREADY_ANSWERED',
    });
    await run.send('go' as never, 1 as never);
    expect(await run.result()).toEqual({ log: ['v2 true', '1'] });
  });

  test.each(ways)('is answered by $by, by somebody without the code', async ({ name, hasId }) => {
    const here = place();
    const id = await waiting(here);
    const client = await here.open({ executes: false });
    await (await client.get('r')).answer(name, true, hasId ? { id } : {});
    await client.close();
    const engine = await here.open({ graphs: [second] });
    expect(await engine.recover()).toBe(1);
    const run = await engine.get('r');
    expect(await run.outcome()).toMatchObject({ waits: [{ kind: 'receive' }], state: { log: ['v2 true'] } });
    await engine.close();
    // The migrated run still knows the old name.
    const after = await here.open({ executes: false });
    const again = await after.get('r');
    await again.answer(name, true, hasId ? { id } : {});
    await expect(again.answer('approve', false)).rejects.toMatchObject({ code: 'HOLDFAST_ALREADY_ANSWERED' });
  });

  test('is known by its id after the migration, also when another one of its name was asked since', async () => {
    const here = place();
    const before = await here.open();
    await (await before.start(asking(1, 'approve'), {}, { id: 'r' })).outcome();
    const id = (await all(before.asks()))[0]?.id as string;
    await before.close();
    const after = asking(2, 'consent');
    const engine = await here.open({ graphs: [after] });
    const run = await engine.get(after, 'r');
    await run.answer('consent' as never, true, { id });
    await run.outcome();
    for (const name of ['approve', 'consent']) {
      await run.answer(name as never, true, { id });
      await expect(run.answer(name as never, false, { id })).rejects.toMatchObject({
        code: 'HOLDFAST_ALREADY_ANSWERED',
      });
    }
    await run.answer('consent' as never, false);
    expect(await run.result()).toEqual({ log: ['a true', 'b false'] });
  });

  test.each(['its name', 'its id', 'its id alone'])(
    'is answered by %s, with the old code, after the migration',
    async (how) => {
      const here = place();
      const id = await migrated(here, 3);
      const client = await here.open({ executes: false, graphs: [step(1)] });
      const run = client.get(step(1), 'r');
      if (how === 'its id alone') await client.answer(id, true);
      else await run.answer('q1' as never, true, how === 'its id' ? { id } : {});
      await expect(run.answer('unknown' as never, true)).rejects.toMatchObject({
        code: 'HOLDFAST_UNKNOWN_QUESTION',
      });
      await client.close();
      const engine = await here.open({ graphs: [step(3)] });
      await engine.recover();
      expect(await engine.get('r').result()).toEqual({ log: ['true true'] });
    },
  );

  test('is judged by the new code, whatever the old code says of an answer', async () => {
    const here = place();
    await migrated(here, 3);
    const client = await here.open({ executes: false });
    await client.get(step(1), 'r').answer('q1' as never, 'only the old code takes this');
    await client.close();
    const engine = await here.open({ graphs: [step(3)] });
    await engine.recover();
    const run = engine.get(step(3), 'r');
    const refused = async () => (await all(run.events({ until: 'idle' }))).filter(({ type }) => type === 'refused');
    await expect.poll(refused).toMatchObject([{ error: { code: 'HOLDFAST_INVALID_VALUE' } }]);
    await run.answer('q3' as never, true);
    expect(await run.result()).toEqual({ log: ['true true'] });
  });

  test.each([1, 2, 3])(
    'is answered by the name of version %i, whether the run has had it or skipped it',
    async (version) => {
      for (const stops of [[3], [2, 3]]) {
        const here = place();
        await migrated(here, ...stops);
        const engine = await here.open({ graphs: [step(3)] });
        const run = engine.get(step(3), 'r');
        await run.answer(`q${version}` as never, true);
        expect(await run.result()).toEqual({ log: ['true true'] });
        await engine.close();
      }
    },
  );

  test('is not answered by another name, also not with its id', async () => {
    const here = place();
    const id = await waiting(here);
    const engine = await here.open({ graphs: [second] });
    const run = await engine.get(second, 'r');
    await expect(run.answer('allow' as never, true, { id })).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_QUESTION',
      details: { known: ['consent'] },
    });
  });

  test('belongs to a renamed node with an inner graph: it is answered there', async () => {
    const inner = graph('inner', { state: { log: list<string>() }, asks: { ok } })
      .node('asks', async (c) => ({ log: String(await c.ask('ok', 'q')) }))
      .edge('start', 'asks')
      .edge('asks', 'end')
      .compile();
    const outer = (version: number, node: string) =>
      graph('flow', {
        state: { log: list<string>() },
        version,
        ...(version > 1 && { migrate: { 1: { nodes: { sub: node } } } }),
      })
        .graph(node, inner, { in: () => ({}), out: ({ log }) => ({ log: [...log] }) })
        .edge('start', node)
        .edge(node, 'end')
        .compile();
    for (const name of ['part/ok', 'sub/ok']) {
      const here = place();
      const before = await here.open();
      await (await before.start(outer(1, 'sub'), {}, { id: 'r' })).outcome();
      await before.close();
      const after = outer(2, 'part');
      const engine = await here.open({ graphs: [after] });
      const run = await engine.get(after, 'r');
      await run.answer(name as never, true);
      expect(await run.result()).toEqual({ log: ['true'] });
      await engine.close();
    }
  });
});
