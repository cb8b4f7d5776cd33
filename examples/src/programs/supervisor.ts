// A supervisor gives tasks to other agents. Each is a run of its own, which any worker may execute.
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';
import { plan, work } from './services/model.ts';

const scout = workflow('scout', { input: z.string() }, (task, { step }) => step('look', () => work('+', task)));
const critic = workflow('critic', { input: z.string() }, (task, { step }) => step('doubt', () => work('-', task)));
const supervisor = workflow('supervisor', { input: z.string() }, async (goal, { step, child }) => {
  const tasks = await step('plan', () => plan(goal));
  const agents = { scout, critic };
  return Promise.all(tasks.map(({ agent, task }) => child(task, agents[agent], task)));
});
const engine = await openEngine('memory:');
console.log((await engine.start(supervisor, 'kelp', { id: 'kelp' }).result()).join('; '));
for await (const { graph, status } of engine.runs({ parentId: 'kelp' })) console.log(graph, status);
await engine.close();
