// The demo's graph: an agent with tools, and a refund that a person has to approve. The model is scripted, so the demo
// needs no network and no account.

import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyGraph, channel, graph, messages, type StepFn, type StepPolicy } from 'holdfast';
import { z } from 'zod';

/** Progress of a call: the code reached it, its body started, its body finished. */
export interface Trace {
  readonly runId: string;
  readonly call: string;
  readonly how: 'reached' | 'begun' | 'executed';
}

type Message = { id?: string; role: 'user' | 'assistant' | 'tool'; content: string; tools?: string[] };
type Say = { readonly name: string; readonly content: string; readonly tools?: string[] };

const script: readonly Say[] = [
  {
    name: 'plan',
    content: 'Let me look at the order first.',
    tools: ['read the order', 'read the policy', 'check for fraud'],
  },
  { name: 'decide', content: 'The parcel was lost, so a refund is due.' },
];
/** The longest time that a timer takes. */
const forever = 2 ** 31 - 1;
/** A smaller refund needs no approval. */
const freeCents = 5_000;

/** Creates the agent. `trace` is called for every call; the call named `endless` never ends. */
export function supportAgent(trace: (trace: Trace) => void, endless?: string): AnyGraph {
  interface Calls {
    readonly runId: string;
    readonly step: <T>(name: string, fn: StepFn<T>, policy?: StepPolicy) => Promise<T>;
  }
  /** A traced step that takes a moment. */
  async function call<T>({ runId, step }: Calls, name: string, result: () => T, policy: StepPolicy = {}): Promise<T> {
    trace({ runId, call: name, how: 'reached' });
    const body = async (): Promise<T> => {
      trace({ runId, call: name, how: 'begun' });
      await sleep(name === endless ? forever : 250);
      trace({ runId, call: name, how: 'executed' });
      return result();
    };
    return step(name, body as StepFn<T>, policy);
  }

  return graph('support', {
    state: { order: z.string(), cents: z.int(), messages: messages<Message>(), approved: channel<boolean>() },
    asks: {
      approval: {
        show: z.object({ text: z.string() }),
        answer: z.object({ ok: z.boolean().describe('refund it?'), note: z.string().optional() }),
      },
    },
  })
    .node('model', async ({ state, runId, step }) => {
      const turn = state.messages.filter(({ role }) => role === 'assistant').length;
      const say = script[turn] ?? script[0]!;
      const { content, tools = [] } = await call({ runId, step }, `model: ${say.name}`, () => say);
      return { messages: { role: 'assistant', content, tools } };
    })
    .node('tools', async ({ state, runId, step }) => {
      const found: Message[] = [];
      for (const tool of state.messages.at(-1)?.tools ?? []) {
        const content = await call({ runId, step }, `tool: ${tool}`, () => `${tool}: done`);
        found.push({ role: 'tool', content });
      }
      return { messages: found };
    })
    .node('approve', async ({ state, ask }) => {
      if (state.cents < freeCents) return { approved: true };
      const { ok } = await ask('approval', { text: `Refund €${state.cents / 100} for ${state.order}?` });
      return { approved: ok };
    })
    .node('refund', async ({ state, runId, step }) => {
      const receipt = await call({ runId, step }, 'refund', () => `receipt of ${state.order}`, { effect: 'once' });
      return { messages: { role: 'assistant', content: receipt } };
    })
    .edge('start', 'model')
    .route('model', ['tools', 'approve'], ({ messages }) => (messages.at(-1)?.tools?.length ? 'tools' : 'approve'))
    .edge('tools', 'model')
    .route('approve', ['refund', 'end'], ({ approved }) => (approved ? 'refund' : 'end'))
    .edge('refund', 'end')
    .compile();
}
