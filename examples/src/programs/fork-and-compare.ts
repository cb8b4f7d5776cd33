// What would another price have given? A fork tries it, and the run that it comes from stays as it is.
import { channel, graph, openEngine } from 'holdfast';
import { z } from 'zod';
import { work } from './services/model.ts';

const pricing = graph('pricing', { state: { cents: z.number(), offer: channel<string>() } })
  .node('quote', async ({ state, step }) => ({ offer: await step('ask', () => work('offer', `${state.cents} cents`)) }))
  .edge('start', 'quote')
  .edge('quote', 'end')
  .compile();
const engine = await openEngine('memory:');
const run = await engine.start(pricing, { cents: 12_000 }, { id: 'real' });
await run.result();
await run.fork({ id: 'what-if', before: 'quote', set: { cents: 5_000 }, resume: true }).result();
for (const { path, before, after } of await engine.diff('real', 'what-if')) console.log(path, before, '->', after);
await engine.close();
