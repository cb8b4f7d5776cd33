// Stands for a language model and its tools: a script that needs no network.

type Tool = 'weather' | 'tides';
type Call = { tool: Tool; city: string };
/** A message of a conversation. */
export type Message = { id?: string; role: 'user' | 'assistant' | 'tool'; content: string; calls?: readonly Call[] };

/** What a person says. */
export function user(content: string): Message {
  return { role: 'user', content };
}

const tools: Record<Tool, (city: string) => string> = {
  weather: (city) => `21 °C in ${city}`,
  tides: (city) => `high water in ${city} at noon`,
};

/** Runs a tool that the model asks for. */
export async function callTool({ tool, city }: Call): Promise<Message> {
  return { role: 'tool', content: tools[tool](city) };
}

/** Asks for two tools when it is asked about a place, and tells what they gave, token by token. */
export async function model(
  history: readonly Message[],
  onToken: (token: string) => void = () => {},
): Promise<Message> {
  const last = history.at(-1);
  if (last?.content === 'How is Oban?') {
    const calls: Call[] = [
      { tool: 'weather', city: 'Oban' },
      { tool: 'tides', city: 'Oban' },
    ];
    return { role: 'assistant', content: '', calls };
  }
  const facts = history.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const content = last?.role === 'tool' ? facts.join(', ') : `reply ${history.length}`;
  for (const token of content.split(' ')) onToken(token);
  return { role: 'assistant', content };
}

/** Splits a goal into tasks for agents. */
export async function plan(goal: string): Promise<{ agent: 'scout' | 'critic'; task: string }[]> {
  return [
    { agent: 'scout', task: `facts about ${goal}` },
    { agent: 'critic', task: `risks of ${goal}` },
  ];
}

/** What an agent finds out. */
export async function work(role: string, task: string): Promise<string> {
  return `${role}: ${task}`;
}
