// An agent that asks the model, runs the tools that it wants and asks again, until it wants none.
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';
import { callTool, model, user } from './services/model.ts';

const agent = workflow('agent', { input: z.string() }, async (question, { step }) => {
  const history = [user(question)];
  while (true) {
    const reply = await step('model', () => model(history), { retry: 3 });
    if (reply.calls === undefined) return reply.content;
    history.push(reply, ...(await Promise.all(reply.calls.map((call) => step(call.tool, () => callTool(call))))));
  }
});
const engine = await openEngine('memory:');
console.log(await engine.start(agent, 'How is Oban?').result());
await engine.close();
