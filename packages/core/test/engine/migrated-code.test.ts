import { workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deploy, type Flow, type FlowOptions, flow, once, receives, twoSteps } from './changing-code.ts';
import { all, describeEverywhere, gate } from './every-place.ts';

describeEverywhere('changed code with a migration', (place) => {
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
});
