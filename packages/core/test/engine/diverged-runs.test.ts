import { graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { asks, deploy, expectRefusal, type Flow, flow, once, open } from './changing-code.ts';
import { all, describeEverywhere } from './every-place.ts';

describeEverywhere('changed code after a failure', (place) => {
  test('continues when somebody accepts that it has diverged', async () => {
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
