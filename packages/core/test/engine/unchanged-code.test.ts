import { expect, test } from 'vitest';
import { type Flow, flow, once, recordsOf } from './changing-code.ts';
import { all, describeEverywhere, turns } from './every-place.ts';

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
