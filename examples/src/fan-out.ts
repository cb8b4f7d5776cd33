// Nodes in parallel and a join, an item each, and a graph inside a graph.
import { channel, graph, list, openEngine } from 'holdfast';
import { z } from 'zod';

const report = graph('report', { state: { topic: z.string(), facts: list<string>(), text: channel<string>() } })
  // Both see the same state. Their facts are put together in the order written here, whoever is faster.
  .node('web', async ({ state }) => ({ facts: [`${state.topic} grows fast`] }))
  .node('papers', async () => Promise.reject(new Error('closed')), {
    timeout: '20s',
    catch: (error) => ({ facts: `no papers (${error.code})` }),
  })
  .node('write', ({ state }) => ({ text: state.facts.join('; ') }))
  .edge('start', ['web', 'papers'])
  .edge(['web', 'papers'], 'write') // waits for both
  .edge('write', 'end')
  .compile();

const digest = graph('digest', {
  state: { topic: z.string(), asides: z.array(z.string()), text: channel<string>(), extra: list<string>() },
})
  // A run of its own, linked to this one; it could be executed by another worker.
  .graph('research', report, { in: ({ topic }) => ({ topic }), out: ({ text }) => ({ text }) })
  .each(
    'aside',
    ({ asides }) => asides,
    async (topic, { step, index }) => ({ extra: await step('look', async () => `${index + 1}. ${topic}`) }),
    { concurrency: 2 },
  )
  .node('print', ({ state }) => ({ text: `${state.text} (${state.extra.join(', ')})` }))
  .edge('start', ['research', 'aside'])
  .edge(['research', 'aside'], 'print')
  .edge('print', 'end')
  .compile();

const engine = await openEngine('memory:');
const run = await engine.start(digest, { topic: 'kelp', asides: ['algae', 'otters', 'urchins'] }, { id: 'issue-1' });
console.log((await run.result()).text);
for await (const { graph, status, parentId } of engine.runs({ parentId: 'issue-1' }))
  console.log(`${graph} was a run of its own: ${status}, under ${parentId}`);
await engine.close();
