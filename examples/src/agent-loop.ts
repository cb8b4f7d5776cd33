// An agent with tools, and a chat with it: one run, a message a turn. The model is a script; it needs no network.
import { graph, messages, openEngine } from 'holdfast';
import { z } from 'zod';

type Call = { readonly tool: string; readonly city: string };
type Message = { id?: string; role: 'user' | 'assistant' | 'tool'; content: string; calls?: readonly Call[] };

const tools: Record<string, (city: string) => Promise<string>> = {
  weather: async (city) => `${city}: 21 °C`,
  tides: async () => Promise.reject(new Error('the harbour does not answer')),
};

/** Asks for two tools, then puts what they gave into words, token by token. */
async function model(history: readonly Message[], onToken: (token: string) => void): Promise<Message> {
  const [last] = history.slice(-1);
  if (last?.content === 'How is Oban?') {
    const calls = [
      { tool: 'weather', city: 'Oban' },
      { tool: 'tides', city: 'Oban' },
    ];
    return { role: 'assistant', content: '', calls };
  }
  const facts = history.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const answer = last?.role === 'tool' ? facts.join('; ') : `I said ${facts.length} things.`;
  for (const token of answer.split(' ')) onToken(token);
  return { role: 'assistant', content: answer };
}

const agent = graph('agent', { state: { messages: messages<Message>() }, emits: z.string() })
  .node('model', async ({ state, step }) => {
    // A step runs once: after a crash its result comes from the journal, and what it emitted is not told again.
    return { messages: await step('llm', ({ emit }) => model(state.messages, emit), { retry: 3 }) };
  })
  .each(
    'tools',
    (state) => state.messages.at(-1)?.calls ?? [],
    async ({ tool, city }, { step }) => ({
      messages: { role: 'tool', content: await step(tool, () => tools[tool]!(city)) },
    }),
    { concurrency: 4, catch: (_error, { tool }) => ({ messages: { role: 'tool', content: `no ${tool}` } }) },
  )
  .edge('start', 'model')
  .route('model', ['tools', 'end'], (state) => (state.messages.at(-1)?.calls ? 'tools' : 'end'))
  .edge('tools', 'model')
  .compile();

const engine = await openEngine('memory:');
for (const [turn, content] of [
  ['m1', 'How is Oban?'],
  ['m2', 'How much did you say?'],
] as const) {
  const chat = await engine.start(agent, { messages: { id: turn, role: 'user', content } }, { id: 'chat', turn });
  const tokens: string[] = [];
  for await (const event of chat.events({ after: chat.cursor, until: 'idle' }))
    if (event.type === 'emit') tokens.push(event.data);
  console.log(`${content} -> ${tokens.join(' ')}`);
}
const { messages: all } = await engine.get(agent, 'chat').state();
console.log(`one run, ${all.length} messages: ${all.map(({ role }) => role).join(', ')}`);
await engine.close();
