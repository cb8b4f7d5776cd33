import { graph, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../packages/core/src/async/deferred.ts';
import { all, describeDocument, openForTest } from './every-store.ts';

const refund = graph('refund', {
  state: { approved: z.boolean().default(false) },
  asks: { approval: { show: z.string(), answer: z.boolean() } },
})
  .node('approve', async ({ ask }) => ({ approved: await ask('approval', 'Refund 1200 cents?') }))
  .edge('start', 'approve')
  .edge('approve', 'end')
  .compile();

describeDocument('001', ({ store }) => {
  test('an approval that is pending is kept with the run: another engine lists it and answers it', async () => {
    const place = store();
    const first = await openForTest(place);
    await (await first.start(refund, {}, { id: 'ord-81' })).outcome();
    await first.close();
    const second = await openForTest(place, { graphs: [refund] });
    const [summary] = await all(second.runs({ status: 'waiting' }));
    expect(summary).toMatchObject({ id: 'ord-81', waits: [{ kind: 'ask', name: 'approval' }] });
    const run = await second.get(refund, 'ord-81');
    expect(await run.outcome()).toMatchObject({
      status: 'waiting',
      waits: [{ kind: 'ask', name: 'approval', show: 'Refund 1200 cents?' }],
    });
    expect(await all(second.asks())).toMatchObject([{ runId: 'ord-81', node: 'approve', name: 'approval' }]);
    await run.answer('approval', true);
    expect(await run.result()).toEqual({ approved: true });
    expect(await all(second.asks())).toEqual([]);
  });

  test('a side effect that a crash cut off is pending: it is not done again until somebody says what became of it', async () => {
    const place = store();
    const begun = deferred();
    const keys: string[] = [];
    const charge = workflow('charge', { input: z.object({}) }, (_input, { step }) =>
      step(
        'bank',
        async ({ key }) => {
          keys.push(key);
          begun.resolve();
          if (keys.length === 1) await new Promise(() => {});
          return 'charged again';
        },
        { effect: 'once' },
      ),
    );
    const first = await openForTest(place);
    await first.start(charge, {}, { id: 'ord-81' });
    await begun.promise;
    await first.close();
    const second = await openForTest(place, { graphs: [charge] });
    await second.recover();
    const run = await second.get(charge, 'ord-81');
    expect(await run.outcome()).toMatchObject({
      status: 'waiting',
      waits: [{ kind: 'effect', name: 'bank', key: keys[0] }],
    });
    expect(keys).toHaveLength(1);
    await run.settle(keys[0] ?? '', { result: 'seen in the books' });
    expect(await run.result()).toBe('seen in the books');
    expect(keys).toHaveLength(1);
  });
});
