// How the surface that API.md asks for reads, against the real types: checked, never run. Where it differs from the first sketch
// (names such as `StartedRun`, `Until`, the events of an observer), docs/decisions says why. Planned features are not here.
import { api } from '@holdfast/server';
import { hooks } from '@holdfast/server/react';
import {
  again,
  type ContextOf,
  channel,
  graph,
  HoldfastError,
  type InputOf,
  list,
  map,
  messages,
  type Observer,
  type OutputOf,
  openEngine,
  type RunOf,
  replace,
  type StateOf,
  type StepFn,
  workflow,
} from 'holdfast';
import { z } from 'zod';

const observe: Observer = { span: (_span, next) => next(), event: ({ message }) => console.log(message) };
const engine = await openEngine('memory:', { observe, lease: '5s' });

// A node in a file of its own, and the types of a graph.
const base = graph('ingest', {
  state: { tenant: z.string(), vip: z.boolean(), log: list<string>() },
  maxSupersteps: 500,
});
async function read({ state, step }: ContextOf<typeof base>) {
  return { log: await step('x', () => state.tenant) };
}
const ingest = base.node('read', read).edge('start', 'read').edge('read', 'end').compile();
export const state: StateOf<typeof ingest> = { tenant: '', vip: true, log: [] };
export const input: InputOf<typeof ingest> = { tenant: '', vip: true };

// One await, listings, streams, a worker.
const { log } = await engine.start(ingest, { tenant: 'a', vip: true }, { turn: true, timeout: '3s' }).result();
log satisfies readonly string[];
for await (const token of engine.start(ingest, input).emits()) token satisfies unknown;
for await (const { runId } of engine.get(ingest, 'x').events({ children: true })) runId satisfies string;
export const found = await engine.runs({ graph: ingest, forkOf: 'x' }).find(({ waits }) => waits[0]?.kind === 'ask');
export const saved = await engine.checkpoints.list('x').toArray();
export const fork = await engine
  .get(ingest, 'x')
  .fork({ before: 'read', set: { tenant: 'b' } })
  .outcome();
export const changes = await engine.diff('a', 'b');
await engine.answer('ask-id', true, { by: 'ada' });
await using worker = engine.work({ signals: true, drain: '5s' });
await worker.done;

// What a step may return, and what not.
interface User {
  readonly name: string;
  tags: string[];
}
interface Tree {
  readonly children: Tree[];
}
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
const same = <T>(fn: StepFn<T>): StepFn<T> => fn;
export const order = workflow(
  'order',
  {
    input: z.string(),
    receives: { paid: z.object({ reference: z.string() }), cancelled: z.string() },
    asks: { ok: z.boolean(), full: { show: z.object({ amount: z.number() }), answer: z.string() } },
  },
  async (_order, { step, receive, sleep, ask, now, uuid, log: say, start, child }) => {
    // @ts-expect-error a Response cannot be stored
    await step('page', () => fetch('https://x'));
    // @ts-expect-error nor a function inside a result
    await step('act', () => ({ act: () => 1 }));
    // @ts-expect-error nor a class instance
    await step('url', () => new URL('https://x'));
    // @ts-expect-error nor a promise inside a result
    await step('later', () => ({ later: Promise.resolve(1) }));
    const plain = await step('plain', async () => ({ d: new Date(), m: new Map([[1, 'x']]), xs: [1, 2] }), {
      retry: 3,
    });
    plain.xs.push(1);
    const user: User = await step('user', async (): Promise<User> => ({ name: '', tags: [] }));
    user.tags.push('private copies are mutable');
    (await step('tree', (): Tree => ({ children: [] }))).children satisfies Tree[];
    (await step('json', async (): Promise<Json> => [])) satisfies Json;
    (await step('unknown', async (): Promise<unknown> => 1)) satisfies unknown;
    await step('void', () => {});
    (await step('set', (): ReadonlySet<string> => new Set<string>())) satisfies ReadonlySet<string>;
    (await step('list', (): readonly string[] => [])) satisfies readonly string[];
    (await step('bytes', () => new Uint8Array(3))) satisfies Uint8Array;
    (await step('optional', (): { a?: string | undefined } => ({}))).a satisfies string | undefined;
    (await step('cast', async () => (await (await fetch('x')).json()) as { a: number })).a satisfies number;
    const timed = async <T>(name: string, fn: StepFn<T>): Promise<T> => step(name, fn, { timeout: '3s' });
    const logged = async <T>(name: string, fn: StepFn<T>): Promise<T> =>
      step(name, async (info) => {
        say(name);
        return await fn(info);
      });
    (await logged('user', (): User => ({ name: '', tags: [] }))).tags.push('as without the wrapper');
    // @ts-expect-error a function that wraps a step checks what it is given, like the step
    await logged('page', () => fetch('https://x'));
    (await timed('info', ({ key, attempt }) => `${key} ${attempt}`)) satisfies string;
    (await step(
      'same',
      same(() => 7),
    )) satisfies number;

    const message = await receive(['paid', 'cancelled'], { timeout: '1h' });
    if (message?.name === 'paid') message.value.reference satisfies string;
    else message?.value satisfies string | undefined;
    await sleep('30s');
    await sleep('until eight', new Date());
    const isOk: boolean = await ask('ok');
    say('asked', { at: now(), id: uuid(), isOk, text: await ask('full', { amount: 4 }) });
    (await start('detached', ingest, input)) satisfies string;
    (await child('child', ingest, input)).log satisfies readonly string[];
    if (isOk) return again('next');
    return { kind: 'done', n: 1 };
  },
);
export const output: OutputOf<typeof order> = { kind: 'done', n: 1 };
output.kind satisfies 'done';
export const answered = async (run: RunOf<typeof order>): Promise<void> => run.answer('ok', true, { by: 'ada' });
for (const asked of await engine.asks(order).toArray()) {
  if (asked.name === 'full') asked.show.amount satisfies number;
}
export const reason = (error: unknown): string | undefined =>
  HoldfastError.is(error, 'HOLDFAST_CANCELLED') ? error.details.reason : undefined;

// Dependencies, an output, schemas of lists and maps.
const chat = graph('chat', {
  state: { log: messages(z.object({ id: z.string().optional(), text: z.string() })), items: map(z.number()) },
  deps: { llm: async (text: string) => text },
  output: ({ log: said }) => said.length,
})
  .node('reply', async ({ deps }) => ({ log: { text: await deps.llm('x') }, items: { cup: 1 } }))
  .edge('start', 'reply')
  .edge('reply', 'end')
  .compile();
(await engine.start(chat.with({ llm: async () => 'fake' }), {}).result()) satisfies number;

// Everything read from a state is read-only, and may be written, sent and passed on as it is.
interface Note {
  text: string;
  tags: string[];
}
const handOn = workflow('same', { input: z.object({ all: z.array(z.custom<Note>()) }) }, async ({ all }) => {
  all.push({ text: 'an input is a private copy', tags: [] });
  return all;
});
const notes = graph('notes', {
  state: { all: list<Note>(), last: channel<Note>(), said: messages<{ text: string }>() },
})
  .node('keep', ({ state }) => ({ all: replace(state.all.slice(-5)), ...(state.last && { last: state.last }) }))
  .node('hand on', async ({ state, child }) => void (await child('same', handOn, { all: state.all })))
  .edge('start', ['keep', 'hand on'])
  .compile();
const kept: StateOf<typeof notes> = await engine.start(notes, {}).result();
kept.all as Note[] satisfies Note[];

// Over HTTP.
const server = api(engine, { graphs: { ingest }, authorize: () => ({ by: 'ada' }) });
const { useRun } = hooks<typeof server>({ url: '/holdfast' });
useRun('ingest', 'x').state?.tenant satisfies string | undefined;
// @ts-expect-error the server has no such graph
useRun('other', 'x');
