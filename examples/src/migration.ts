// The graph changes while a run waits: the new version says how the old state becomes the new one.
import { graph, openEngine } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { z } from 'zod';

const question = { show: z.string(), answer: z.enum(['yes', 'no']) };

const first = graph('refunds', { state: { order: z.string(), cents: z.number() }, asks: { approval: question } })
  .node('check', async ({ state, ask }) => {
    await ask('approval', `Refund ${state.cents} cents?`);
  })
  .edge('start', 'check')
  .edge('check', 'end')
  .compile();

const state = { order: z.string(), amount: z.object({ cents: z.number(), currency: z.string() }) };
const second = graph('refunds', {
  version: 2,
  state,
  asks: { approval: question },
  migrate: {
    1: {
      state: ({ order, cents }) => ({ order, amount: { cents, currency: 'EUR' } }),
      nodes: { check: 'verify' }, // it has a new name; whoever waits in it waits on
    },
  },
})
  .node('verify', async ({ state, ask }) => {
    await ask('approval', `Refund ${state.amount.cents} ${state.amount.currency} cents?`);
  })
  .edge('start', 'verify')
  .edge('verify', 'end')
  .compile();
/** The same without its migration: what somebody might deploy by mistake. */
const careless = graph('refunds', { version: 2, state })
  .node('verify', () => {})
  .edge('start', 'verify')
  .edge('verify', 'end')
  .compile();

const store = memoryStore();
{
  const old = await openEngine(store);
  await (await old.start(first, { order: 'ord_81', cents: 500 }, { id: 'ord_81' })).outcome();
  await old.close();
}
const engine = await openEngine(store, { graphs: [second] });
for (const { runId, missing } of await engine.check([careless]))
  console.log(`${runId} would be stranded: ${missing.join(' ')}`);
console.log(`with its migration: ${(await engine.check()).length} stranded`);
const run = await engine.get(second, 'ord_81');
await run.answer('approval', 'yes');
console.log(JSON.stringify(await run.result()));
await engine.close();
