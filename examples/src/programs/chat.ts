// A chat is one run, and each message is a turn of it. The same turn again is not executed again.
import { graph, messages, openEngine } from 'holdfast';
import { z } from 'zod';
import { type Message, model, user } from './services/model.ts';

const chat = graph('chat', { state: { messages: messages<Message>() }, emits: z.string() })
  .node('say', async ({ state, step }) => ({ messages: await step('llm', ({ emit }) => model(state.messages, emit)) }))
  .edge('start', 'say')
  .edge('say', 'end')
  .compile();
const engine = await openEngine('memory:');
for (const [turn, text] of Object.entries({ m1: 'Hello', m2: 'And in Latin?' })) {
  const run = engine.start(chat, { messages: user(text) }, { id: 'chat-7', turn });
  for await (const token of run.emits()) console.log(`${turn}: ${token}`);
}
await engine.close();
