// The samples of the public API, as they are shown to users: checked, never run.

import { type } from 'arktype';
import {
  type ContextOf,
  channel,
  goto,
  graph,
  type InputOf,
  list,
  messages,
  type OutputOf,
  openAgent,
  openEngine,
  type RunOf,
  replace,
  type ShapeOf,
  type StateOf,
  type StepFn,
  workflow,
} from 'holdfast';
import * as v from 'valibot';
import { z } from 'zod';

declare const stripe: { refund(order: string, cents: number, key: string): Promise<{ id: string }> };
declare const llm: (
  messages: readonly Message[],
  onToken: (token: string) => void,
  signal: AbortSignal,
) => Promise<{ id: string; text: string; calls: { tool: string; args: unknown }[] }>;
declare const tools: Record<string, (args: unknown) => Promise<string>>;
type Message = {
  id?: string;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  calls?: readonly { tool: string; args: unknown }[];
};

// 1. A person approves; an effect happens once.
export const refunds = graph('refunds', {
  state: { order: z.string(), cents: z.int(), approved: channel<boolean>(), log: list<string>() },
  asks: { approval: { show: z.object({ text: z.string() }), answer: z.object({ ok: z.boolean() }) } },
})
  .node('check', ({ state }) => ({ log: `checked ${state.order}` }))
  .node('approve', async ({ state, ask }) => {
    const answer = await ask('approval', { text: `Refund €${state.cents / 100}?` }, { timeout: '7d' });
    return { approved: answer?.ok ?? false };
  })
  .node('refund', async ({ state, step }) => {
    const receipt = await step('stripe', ({ key }) => stripe.refund(state.order, state.cents, key), {
      retry: { attempts: 5 },
      effect: 'once',
    });
    return { log: `refunded ${receipt.id}` };
  })
  .edge('start', 'check')
  .edge('check', 'approve')
  .route('approve', ['refund', 'end'], (state) => (state.approved ? 'refund' : 'end'))
  .edge('refund', 'end')
  .compile();

const engine = await openEngine('sqlite:./holdfast.db');
const run = await engine.start(refunds, { order: 'ord_81', cents: 12_000 }, { id: 'ord_81' });
const outcome = await run.outcome();
if (outcome.status === 'waiting' && outcome.waits[0]?.kind === 'ask') {
  const question: string = outcome.waits[0].show.text;
  console.log(question);
  await run.answer('approval', { ok: true }, { by: 'ada' });
}

// 2. An agent loop with tools, streamed; a chat is one run, a message a turn of it.
export const agent = graph('agent', { state: { messages: messages<Message>() }, emits: z.string() })
  .node('compact', ({ state }) => (state.messages.length > 200 ? { messages: replace(state.messages.slice(-50)) } : {}))
  .node('model', async ({ state, step }) => {
    const reply = await step('llm', ({ signal, emit }) => llm(state.messages, emit, signal), {
      retry: { attempts: 3, backoff: '1s' },
      timeout: '60s',
    });
    return { messages: { id: reply.id, role: 'assistant', content: reply.text, calls: reply.calls } };
  })
  .each(
    'tools',
    (state) => state.messages.at(-1)?.calls ?? [],
    async (call, { step }) => ({
      messages: { role: 'tool', content: await step(call.tool, () => tools[call.tool]!(call.args)) },
    }),
    {
      concurrency: 4,
      catch: (error, call) => ({ messages: { role: 'tool', content: `${call.tool} failed: ${error.message}` } }),
    },
  )
  .edge('start', 'compact')
  .edge('compact', 'model')
  .route('model', ['tools', 'end'], (state) => (state.messages.at(-1)?.calls?.length ? 'tools' : 'end'))
  .edge('tools', 'model')
  .compile();
for (const [id, content] of [
  ['m1', 'Hello'],
  ['m2', 'And in Latin?'],
] as const) {
  const chat = await engine.start(agent, { messages: { id, role: 'user', content } }, { id: 'chat-7', turn: id });
  for await (const event of chat.events({ after: chat.cursor, until: 'idle' }))
    if (event.type === 'emit') process.stdout.write(event.data);
}

// 3. Fan out, join; a graph inside a graph; a graph an item; a node for errors.
export const report = graph('report', { state: { topic: v.string(), facts: list<string>(), text: channel<string>() } })
  .node('web', async () => ({ facts: ['a'] }), {
    timeout: '20s',
    catch: (error) => ({ facts: `no web: ${error.message}` }),
  })
  .node('papers', async () => ({ facts: ['b', 'c'] }))
  .node('write', ({ state }) => ({ text: state.facts.join('\n') }))
  .edge('start', ['web', 'papers'])
  .edge(['web', 'papers'], 'write')
  .edge('write', 'end')
  .compile();
export const digest = graph('digest', {
  state: {
    topic: type('string'),
    more: z.array(z.string()).default([]),
    text: channel<string>(),
    extra: list<string>(),
  },
})
  .graph('research', report, { in: (state) => ({ topic: state.topic }), out: (inner) => ({ text: inner.text }) })
  .each(
    'aside',
    (state) => state.more,
    async (topic, { child }) => ({ extra: (await child('report', report, { topic })).text }),
    { concurrency: 3 },
  )
  .node('polish', ({ state }) => (state.text ? goto('end', { text: state.text.trim() }) : goto('research')), {
    to: ['research', 'end'],
  })
  .graph('refund', refunds, { in: () => ({ order: 'o', cents: 1 }), out: () => ({}) })
  .edge('start', ['research', 'aside', 'refund'])
  .edge(['research', 'aside', 'refund'], 'polish')
  .compile();
const issue = await engine.start(digest, { topic: 'kelp', more: ['algae'] });
await issue.answer('refund/approval', { ok: true });
console.log((await issue.result()).text);

// 4. Time travel: the state at any checkpoint, a fork with edits, a diff.
for await (const checkpoint of run.history({ limit: 50 })) {
  if (!checkpoint.next.includes('approve')) continue;
  const whatIf = await run.fork({ at: checkpoint.id, set: { cents: 5_000 }, tags: { why: 'what-if' } });
  console.log((await whatIf.outcome()).status); // 'suspended', until it is resumed or answered
  await whatIf.answer('approval', { ok: false });
  console.log(await run.diff(checkpoint.id, (await run.checkpoint()).id));
  break;
}

// 5. After a crash; live events with a cursor that survives reconnects.
console.log(await engine.recover());
let seen = run.cursor;
for await (const event of run.events({ after: seen })) {
  seen = event.cursor;
  if (event.type === 'node-end') {
    const node: 'check' | 'approve' | 'refund' = event.node;
    console.log(node, event.attempt, event.replayed);
  }
}

// 6. The graph changed while runs were waiting.
export const refunds2 = graph('refunds', {
  version: 2,
  state: { order: z.string(), amount: z.object({ cents: z.number(), currency: z.string() }) },
  migrate: {
    1: {
      state: (old) => ({ order: old['order'], amount: { cents: old['cents'], currency: 'EUR' } }),
      nodes: { check: 'verify' },
    },
  },
})
  .node('verify', () => {})
  .edge('start', 'verify')
  .edge('verify', 'end')
  .compile();
console.log(await engine.check([refunds2]));

// 7. A plain durable function: started, sent to and found like a graph.
export const onboard = workflow(
  'onboard',
  { input: z.object({ email: z.email() }), receives: { verified: z.object({ at: z.number() }) } },
  async ({ email }, { step, sleep, receive }) => {
    const id = await step('create', async () => email.length);
    await sleep('cool-off', '3d');
    const verified = await receive('verified', { timeout: '30d' });
    return { id, verifiedAt: verified?.at };
  },
);
const signup = await engine.start(onboard, { email: 'ada@example.org' }, { id: 'signup-1' });
await (await engine.get(onboard, 'signup-1')).send('verified', { at: 5 }, { id: 'mail-9' });
const { id: userId } = await signup.result();
console.log(userId);

// 8. An inbox, in a process that has the store but not the code.
await using inbox = await openEngine('sqlite:./holdfast.db', { executes: false });
for await (const question of inbox.asks({ graph: 'refunds' })) {
  const typed = await inbox.get<ShapeOf<typeof refunds>>(question.runId);
  await typed.answer('approval', { ok: true }, { id: question.id, by: 'ada' });
}

// 9. Journal run, our journal and checkpoints; a long-lived agent that is shut down and comes back.
await engine.journal.append('chat-8', { source: 'tool', labels: ['search'], payload: { q: 'holdfast' } });
await engine.checkpoints.save('chat-8', { state: { messages: [] }, superstep: 1, label: 'after search' });
const past = await engine.checkpoints.atOrBefore('chat-8@1');
console.log(past?.state['messages']);
const clerk = await openAgent(engine, { id: 'clerk', initial: { handled: 0 } });
console.log(clerk.recovered?.phase, clerk.recovered?.unfinished);
await clerk.transition('boot');
await clerk.task('ticket-1', async () => clerk.update({ handled: clerk.appState.handled + 1 }));
await clerk.shutdown({ reason: 'deploy', drain: '5s' });

// 10. Types by the graph, nodes in their own file, functions that wrap a step, and what steps may return.
const base = graph('ingest', { state: { tenant: z.string(), log: list<string>() } });
async function read({ state, step }: ContextOf<typeof base>) {
  return { log: await step('read', () => state.tenant) };
}
const ingest = base.node('read', read).edge('start', 'read').edge('read', 'end').compile();
const grown = base.node('check', () => {});
export const tenantOf = ({ state }: ContextOf<typeof grown>) => state.tenant;
const initial: InputOf<typeof ingest> = { tenant: 'a' };
const ingested: RunOf<typeof ingest> = await engine.start(ingest, initial);
const final: OutputOf<typeof ingest> = await ingested.result();
const shown: StateOf<typeof ingest> = final;
shown.log satisfies readonly string[];
interface Tree {
  name: string;
  children: Tree[];
}
export const returns = workflow('returns', { input: z.string(), asks: { ok: z.boolean() } }, async (_, context) => {
  const { step, ask } = context;
  const retrying = <T>(name: string, fn: StepFn<T>) => step(name, fn, { retry: 3 });
  const count: number = await retrying('count', async () => 5);
  const tree = await step('tree', async (): Promise<Tree> => ({ name: '', children: [] }));
  tree.children.push(tree);
  await step('nothing', async () => {});
  const parsed: unknown = await step('json', () => JSON.parse('1') as unknown);
  const all = await step('all', () => ({ at: new Date(), by: new Map([[1, new Set(['x'])]]), list: [1] }));
  all.list.push(2);
  return (await ask('ok')) ? { count, parsed } : undefined;
});

// What must not compile; what is of the builder alone is in must-not-compile.ts.
// @ts-expect-error missing required input
await engine.start(refunds, { order: 'x' });
// @ts-expect-error wrong answer
await run.answer('approval', { ok: 'yes' });
// @ts-expect-error unknown question
await run.answer('nope', { ok: true });
// @ts-expect-error unknown message
await signup.send('nope', {});
// @ts-expect-error unknown kind of store
await openEngine('mongo:x');
// @ts-expect-error fork sets an unknown channel
await run.fork({ set: { price: 1 } });
// @ts-expect-error pauses before an unknown node
await engine.start(refunds, { order: 'x', cents: 1 }, { pauseBefore: ['nope'] });
