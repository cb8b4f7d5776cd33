import { type Context, type Engine, graph, list, type Migration, type Policy, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere, gate, type Place, turns } from './every-place.ts';

const go = { show: z.string(), answer: z.boolean() };
const asks = { go, later: go };
const receives = { news: z.string() };

type Calls = Context<{
  readonly state: Record<string, never>;
  readonly asks: typeof asks;
  readonly receives: typeof receives;
  readonly emits: unknown;
  readonly deps: Record<never, never>;
}>;

type Body = (calls: Calls) => Promise<unknown>;

interface FlowOptions extends Pick<Policy, 'retry'> {
  readonly version?: number;
  readonly migrate?: Readonly<Record<number, Migration>>;
}

/** Some code of the one workflow that these tests change. */
function flow(body: Body, options: FlowOptions = {}) {
  return workflow('flow', { input: z.object({}), asks, receives, ...options }, (_, calls) => body(calls));
}

type Flow = ReturnType<typeof flow>;

/** Runs some code until it waits, and opens the store again with other code. */
async function deploy(here: Place, before: Flow, after: Flow) {
  const old = await here.open();
  await (await old.start(before, {}, { id: 'r' })).outcome();
  await old.close();
  return open(here, after);
}

async function open(here: Place, code: Flow) {
  const engine = await here.open({ graphs: [code] });
  return { engine, run: await engine.get(code, 'r') };
}

/** Answers the question, and expects the code to be refused with the run as it is. */
async function expectRefusal(here: Place, code: Flow, details: object): Promise<void> {
  const { engine, run } = await open(here, code);
  await run.answer('go', true);
  const before = await recordsOf(engine);
  await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED', details });
  expect(await recordsOf(engine)).toEqual(before);
  await engine.close();
}

async function recordsOf(engine: Engine) {
  return (await all(engine.journal.read('r'))).map(({ seq, kind, payload }) => ({ seq, kind, payload }));
}

const once = { effect: 'once' } as const;

const twoSteps: Body = async ({ step, ask }) => [
  await step('a', () => 1),
  await step('b', () => 2),
  await ask('go', '?'),
];

describeEverywhere('changed code', (place) => {
  test('that renames a step never repeats its effect, and is refused where people look', async () => {
    const charged: string[] = [];
    const charges = (name: string): Flow =>
      flow(async ({ step, ask }) => {
        await step(name, () => void charged.push(name), once);
        return ask('go', '?');
      });
    const here = place();
    const { engine, run } = await deploy(here, charges('charge'), charges('charge-card'));
    await run.answer('go', true);
    const before = await recordsOf(engine);
    await expect(run.outcome()).rejects.toMatchObject({
      code: 'HOLDFAST_DIVERGED',
      message: expect.stringContaining('clock'),
      details: {
        runId: 'r',
        node: 'main',
        recorded: ['"charge" (an effect that has happened)'],
        asked: '"charge-card"',
      },
    });
    expect(charged).toEqual(['charge']);
    expect(await recordsOf(engine)).toEqual(before);
    const [summary] = await all(engine.runs());
    expect(summary).toMatchObject({ id: 'r', refusals: [{ code: 'HOLDFAST_DIVERGED' }] });
    expect(await engine.check()).toMatchObject([
      { runId: 'r', missing: [expect.stringContaining('"charge"')], refusals: [{ code: 'HOLDFAST_DIVERGED' }] },
    ]);
    await engine.close();
    const back = await open(here, charges('charge'));
    expect(await back.engine.recover()).toBe(1);
    expect(await back.run.result()).toBe(true);
    expect(charged).toEqual(['charge']);
  });

  test('that inserts a step of the same name does not get the result of the other', async () => {
    const old = flow(async ({ step, ask }) => {
      const fetched = await step('s', () => 'old');
      return [fetched, await ask('go', '?')];
    });
    const changed = flow(async ({ step, ask }) => {
      const inserted = await step('s', () => 'new');
      const fetched = await step('s', () => 'old');
      return [inserted, fetched, await ask('go', '?')];
    });
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    await expectRefusal(here, changed, { recorded: ['"go" (answered)'], asked: '"s" call 2' });
    const back = await open(here, old);
    await back.run.resume();
    expect(await back.run.result()).toEqual(['old', true]);
  });

  test('that makes another call of a step never gets the result of the step', async () => {
    const old = flow(async ({ step, ask }) => [await step('later', () => 'stepped'), await ask('go', '?')]);
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    const asked = flow(async ({ ask }) => [await ask('later', '?'), await ask('go', '?')]);
    await expectRefusal(here, asked, { recorded: ['"later" (done)'], asked: 'waits' });
    const slept = await open(
      here,
      flow(async ({ sleep, ask }) => [await sleep('later', 1), await ask('go', '?')]),
    );
    await slept.run.resume();
    await expect(slept.run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    await slept.engine.close();
    const back = await open(here, old);
    await back.run.resume();
    expect(await back.run.result()).toEqual(['stepped', true]);
  });

  test('may use one name for a step, a question, a sleep and a message', async () => {
    const shared = workflow(
      'shared',
      { input: z.object({}), asks: { go }, receives: { go: z.string() } },
      async (_, { step, ask, sleep, receive }) => [
        await step('go', () => 'stepped'),
        await ask('go', '?'),
        await sleep('go', 1),
        await receive('go'),
      ],
    );
    const engine = await place().open();
    const run = await engine.start(shared, {}, { id: 'r' });
    await run.outcome();
    await run.answer('go', true);
    await run.send('go', 'news');
    expect(await run.result()).toEqual(['stepped', true, undefined, 'news']);
  });

  test('that no longer makes a call is refused when it ends and when it waits', async () => {
    const old = flow(async ({ step, ask }) => {
      await step('reserve', () => 1);
      return ask('go', '?');
    });
    const here = place();
    const before = await here.open();
    await (await before.start(old, {}, { id: 'r' })).outcome();
    await before.close();
    await expectRefusal(
      here,
      flow(async ({ ask }) => ask('go', '?')),
      { asked: 'ended' },
    );
    const { engine, run } = await open(
      here,
      flow(async ({ ask }) => [await ask('go', '?'), await ask('later', '?')]),
    );
    await run.resume();
    await expect(run.outcome()).rejects.toMatchObject({
      code: 'HOLDFAST_DIVERGED',
      details: { recorded: ['"reserve" (done)'], asked: 'waits' },
    });
    await engine.close();
    const back = await open(here, old);
    await back.run.resume();
    expect(await back.run.result()).toBe(true);
  });

  test('that waits for something else first is refused: nothing new is asked', async () => {
    const old = flow(async ({ ask }) => ask('go', '?'));
    const changed = flow(async ({ sleep, receive, ask }) => {
      await Promise.race([sleep('nap', '1h'), receive('news'), ask('later', '?')]);
      return ask('go', '?');
    });
    const { engine, run } = await deploy(place(), old, changed);
    await run.send('news', 'hi');
    await run.answer('later', true);
    await run.answer('go', true);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    expect((await recordsOf(engine)).map(({ kind }) => kind)).not.toContain('result');
  });

  test('may reorder calls with names of their own, and add calls after what is recorded', async () => {
    const old = flow(async ({ step, ask }) => {
      const both = [await step('a', () => 'a'), await step('b', () => 'b')];
      return [...both, await ask('go', '?')];
    });
    const changed = flow(async ({ step, ask }) => {
      const both = [await step('b', () => 'new b'), await step('a', () => 'new a')];
      const ok = await ask('go', '?');
      return [...both, ok, await step('c', () => 'c')];
    });
    const { run } = await deploy(place(), old, changed);
    await run.answer('go', true);
    expect(await run.result()).toEqual(['b', 'a', true, 'c']);
  });

  test('continues after a migration that names the change', async () => {
    const charged: string[] = [];
    const old = flow(async ({ step, ask }) => {
      await step('lookup', () => 1);
      const receipt = await step('charge', () => charged.push('old'), once);
      return [receipt, await ask('go', '?')];
    });
    const changed = flow(
      async ({ step, ask }) => {
        const receipt = await step('charge-card', () => charged.push('new'), once);
        const ok = await ask('go', '?');
        return [receipt, ok, await step('ship', () => 'shipped', once)];
      },
      { version: 2, migrate: { 1: { steps: { charge: 'charge-card', lookup: null } } } },
    );
    const { engine, run } = await deploy(place(), old, changed);
    expect(await engine.check()).toEqual([]);
    await run.answer('go', true);
    expect(await run.result()).toEqual([1, true, 'shipped']);
    expect(charged).toEqual(['old']);
  });

  test('that is migrated is still noticed: renamed and dropped steps keep the others in place', async () => {
    const old = flow(async ({ step, ask }) => {
      await step('lookup', () => 1);
      await step('charge', () => 2, once);
      return ask('go', '?');
    });
    const changed = flow(
      async ({ step, ask }) => {
        await step('pay', () => 3, once);
        return ask('go', '?');
      },
      { version: 2, migrate: { 1: { steps: { lookup: null } } } },
    );
    const { run } = await deploy(place(), old, changed);
    await run.answer('go', true);
    await expect(run.outcome()).rejects.toMatchObject({
      code: 'HOLDFAST_DIVERGED',
      details: { recorded: ['"charge" (an effect that has happened)'], asked: '"pay"' },
    });
  });

  test('continues a child, a sleep and an effect in doubt under their new names', async () => {
    const inner = workflow('inner', { input: z.object({}), receives }, (_, { receive }) => receive('news'));
    const began = gate();
    const hang = (): Promise<string> => {
      began.open();
      return new Promise(() => {});
    };
    const code = (names: readonly [string, string, string], options: FlowOptions = {}): Flow =>
      flow(async ({ step, sleep, child }) => {
        const [said, , paid] = await Promise.all([
          child(names[0], inner, {}),
          sleep(names[1], 1),
          step(names[2], hang, { ...once, timeout: 1 }),
        ]);
        return [said, paid];
      }, options);
    const migrate = { 1: { steps: { talk: 'chat', nap: 'rest' } }, 2: { steps: { rest: 'pause', pay: 'charge' } } };
    const here = place();
    const { engine, run } = await deploy(
      here,
      code(['talk', 'nap', 'pay']),
      code(['chat', 'pause', 'charge'], { version: 3, migrate }),
    );
    await began.opened;
    const [child] = await all(engine.runs({ parentId: 'r' }));
    const outcome = await run.outcome();
    const effect = outcome.status === 'waiting' && outcome.waits.find(({ kind }) => kind === 'effect');
    await (await engine.get(inner, child?.id ?? '')).send('news', 'hello');
    await run.settle(effect ? effect.id : '', { result: 'paid' });
    expect(await run.result()).toEqual(['hello', 'paid']);
    expect(await all(engine.runs({ parentId: 'r' }))).toHaveLength(1);
  });

  test('is not migrated if two of its recorded steps would get the same name', async () => {
    const { engine } = await deploy(
      place(),
      flow(twoSteps),
      flow(twoSteps, { version: 2, migrate: { 1: { steps: { a: 'b' } } } }),
    );
    expect(await engine.check()).toMatchObject([{ missing: ['different names for calls a#0 and b#0'] }]);
  });

  test('goes on when somebody accepts that it has diverged', async () => {
    const sent: string[] = [];
    const mails = (name: string): Flow =>
      flow(async ({ step, ask }) => {
        await step(name, () => void sent.push(name), once);
        return ask('go', '?');
      });
    const { engine, run } = await deploy(place(), mails('mail'), mails('letter'));
    await run.answer('go', true);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    await expect(run.resume({ accept: 'all' as 'diverged' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
    await run.resume({ accept: 'diverged' });
    expect(await run.result()).toBe(true);
    expect(sent).toEqual(['mail', 'letter']);
    expect(await engine.check()).toEqual([]);
  });

  test('may take another way after a failed attempt, but never past an effect', async () => {
    const attempts: number[] = [];
    const retry = { attempts: 3, backoff: 0 };
    const takes = (name: string, effects: readonly string[]): Flow =>
      flow(
        async ({ attempt, step, ask }) => {
          attempts.push(attempt);
          if (attempt === 1) {
            await step('first way', () => 1);
            for (const effect of effects) await step(effect, () => 1, once);
            throw new Error('the first way');
          }
          await step(name, () => 2, once);
          return ask('go', '?');
        },
        { retry },
      );
    const here = place();
    const old = await here.open();
    await (await old.start(takes('second way', []), {}, { id: 'r' })).outcome();
    await (await old.start(takes('second way', ['paid']), {}, { id: 'paid' })).outcome().catch(() => undefined);
    expect(await all(old.runs())).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ id: 'paid', refusals: [expect.objectContaining({ code: 'HOLDFAST_DIVERGED' })] }),
      ]),
    );
    await old.close();
    // The second way is recorded as it was taken, whatever the first one left behind.
    await expectRefusal(here, takes('another way', []), { recorded: ['"second way" (an effect that has happened)'] });
    const { run } = await open(here, takes('second way', []));
    await run.resume();
    expect(await run.result()).toBe(true);
  });

  test('is expected to go another way after a failure that resume forgets', async () => {
    const fails = { charge: true };
    const done: string[] = [];
    const saga = flow(async ({ step, ask }) => {
      try {
        await step('charge', () => {
          if (fails.charge) throw new Error('no money');
          done.push('charge');
        });
      } catch (error) {
        await step('apologize', () => void done.push('apologize'), once);
        throw error;
      }
      await step('ship', () => void done.push('ship'), once);
      return ask('go', '?');
    });
    const here = place();
    const engine = await here.open();
    const run = await engine.start(saga, {}, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ status: 'failed' });
    fails.charge = false;
    await run.resume();
    await run.outcome();
    await run.answer('go', true);
    expect(await run.result()).toBe(true);
    expect(done).toEqual(['apologize', 'charge', 'ship']);
  });

  test('of one node does not keep its siblings from finishing', async () => {
    const done: string[] = [];
    const two = (name: string) =>
      graph('two', { state: { log: list<string>() }, asks })
        .node('changed', async ({ step, ask }) => {
          await step(name, () => void done.push(name), once);
          return { log: `${await ask('go', '?')}` };
        })
        .node('sibling', async ({ step, ask }) => {
          await ask('go', '?');
          await step('work', () => void done.push('work'), once);
          return { log: `${await ask('later', '?')}` };
        })
        .edge('start', ['changed', 'sibling'])
        .edge(['changed', 'sibling'], 'end')
        .compile();
    const here = place();
    const old = await here.open();
    const started = await old.start(two('a'), {}, { id: 'r' });
    const outcome = await started.outcome();
    const ids = outcome.status === 'waiting' ? outcome.waits.map(({ id }) => id) : [];
    await old.close();
    const engine = await here.open({ graphs: [two('b')] });
    const run = await engine.get(two('b'), 'r');
    for (const id of ids) await run.answer('go', true, { id }).catch(() => undefined);
    await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED' });
    await engine.close();
    const back = await here.open({ graphs: [two('a')] });
    const again = await back.get(two('a'), 'r');
    await again.resume();
    await again.outcome();
    await again.answer('later', true);
    expect(await again.result()).toEqual({ log: ['true', 'true'] });
    expect(done).toEqual(['a', 'work']);
  });
});

describeEverywhere('unchanged code', (place) => {
  test('takes the branch it took when an answer came while its body was running', async () => {
    const ways: string[] = [];
    const here = place();
    const code: Flow = flow(async ({ step, ask }) => {
      const answered = ask('go', '?').then(() => 'answer');
      await ask('later', '?');
      const stepped = step('slow', async () => {
        // It is in the journal before the result of the step, but this body has not seen it.
        await (await engine.get(code, 'r')).answer('go', true);
        return 'step';
      });
      const way = await Promise.race([answered, stepped]);
      ways.push(way);
      await step(`by ${way}`, () => 1, once);
      await answered;
      return way;
    });
    const engine = await here.open({ graphs: [code] });
    const run = await engine.start(code, {}, { id: 'r' });
    await run.outcome();
    await run.answer('later', true);
    expect(await run.result()).toBe('step');
    expect(new Set(ways)).toEqual(new Set(['step']));
    expect(ways.length).toBeGreaterThan(1);
  });

  test('waits for a question with the name of a step that an earlier attempt was to try again', async () => {
    const tries: number[] = [];
    const code = flow(
      async ({ attempt, step, ask }) => {
        tries.push(attempt);
        if (attempt > 1) return ask('go', '?');
        const fails = step('go', () => Promise.reject(new Error('no')), { retry: { attempts: 9, backoff: 0 } });
        await Promise.race([fails, step('slow', () => turns(3))]);
        throw new Error('the first try');
      },
      { retry: { attempts: 2, backoff: 0 } },
    );
    const engine = await place().open();
    const run = await engine.start(code, {}, { id: 'r' });
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    await run.answer('go', true);
    expect(await run.result()).toBe(true);
    expect(tries.length).toBeLessThan(6);
  });

  test('says when its calls were made only where a reader could not tell', async () => {
    const here = place();
    const engine = await here.open();
    const inOrder = flow(async ({ step, ask }) => {
      await step('a', () => 1);
      await step('b', () => 1, once);
      return ask('go', '?');
    });
    const parallel = flow(async ({ step, ask }) => {
      await Promise.all([step('a', () => 1), step('b', () => 1, once), step('c', () => 1)]);
      return ask('go', '?');
    });
    await (await engine.start(inOrder, {}, { id: 'r' })).outcome();
    expect(JSON.stringify(await recordsOf(engine))).not.toContain('"after"');
    await (await engine.start(parallel, {}, { id: 'p' })).outcome();
    const said = (await all(engine.journal.read('p'))).map(
      ({ payload }) => payload as { name?: string; after?: number },
    );
    expect(said.filter(({ after }) => after !== undefined).map(({ name, after }) => [name, after])).toEqual([['c', 0]]);
  });
});
