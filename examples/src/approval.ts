// A person approves a refund. The run waits without a process; the effect happens once.
import { channel, graph, list, openEngine } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { z } from 'zod';

const refunds = graph('refunds', {
  state: { order: z.string(), cents: z.int(), approved: channel<boolean>(), log: list<string>() },
  asks: { approval: { show: z.object({ text: z.string() }), answer: z.object({ ok: z.boolean() }) } },
})
  .node('check', ({ state }) => ({ log: `checked ${state.order}` }))
  .node('approve', async ({ state, ask }) => {
    // Nobody answers within a week: undefined, and the question is withdrawn.
    const answer = await ask('approval', { text: `Refund €${state.cents / 100}?` }, { timeout: '7d' });
    return { approved: answer?.ok ?? false };
  })
  .node('refund', async ({ state, step }) => {
    // 'once': an intent is journalled first, so that a crash in the middle is never taken for "not done yet".
    const receipt = await step('pay', async () => `receipt of ${state.order}`, { effect: 'once' });
    return { log: receipt };
  })
  .edge('start', 'check')
  .edge('check', 'approve')
  .route('approve', ['refund', 'end'], (state) => (state.approved ? 'refund' : 'end'))
  .edge('refund', 'end')
  .compile();

const store = memoryStore(); // outlives its engine, as a disk would
{
  const engine = await openEngine(store);
  const run = await engine.start(refunds, { order: 'ord_81', cents: 12_000 }, { id: 'ord_81' });
  const outcome = await run.outcome();
  console.log(`1. The run is ${outcome.status}, and the process that started it ends.`);
  await engine.close();
}

{
  // An inbox: it has the store, not the code.
  const inbox = await openEngine(store, { executes: false });
  for await (const { runId, name, id, show } of inbox.asks()) {
    console.log(`2. ${runId} asks: ${(show as { text: string }).text}`);
    await (await inbox.get(runId)).answer(name, { ok: true }, { id, by: 'ada' });
  }
  await inbox.close();
}

const engine = await openEngine(store, { graphs: [refunds] });
console.log(`3. Another process takes up ${await engine.recover()} run.`);
const { approved, log } = await engine.get(refunds, 'ord_81').result();
console.log(`4. approved: ${approved}; ${log.join(', ')}`);
await engine.close();
