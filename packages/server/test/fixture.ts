// A server on a real store and a real port, and ways to ask it.

import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, type ServeOptions, serve } from '@holdfast/server';
import { type Engine, type EngineOptions, graph, list, openEngine, type Store, workflow } from 'holdfast';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { newStore } from './every-store.ts';

/** Asks before it refunds. */
export const refunds = graph('refunds', {
  state: {
    order: z.string(),
    cents: z.int(),
    log: list(z.string()),
    customer: z.object({ email: z.string() }).optional(),
  },
  asks: { approve: { show: z.object({ cents: z.int() }), answer: z.object({ ok: z.boolean() }) } },
})
  .node('lookup', ({ state }) => ({ log: [`looked up ${state.order}`] }))
  .node('approve', async ({ state, ask }) => {
    const { ok } = await ask('approve', { cents: state.cents });
    return { log: [ok ? 'approved' : 'declined'] };
  })
  .edge('start', 'lookup')
  .edge('lookup', 'approve')
  .edge('approve', 'end')
  .compile();

/** Emits as many values as it is told to, of as many characters; then it waits for a message. */
export const ticker = workflow(
  'ticker',
  {
    input: z.object({
      count: z.int(),
      size: z.int().default(1),
      /** Milliseconds between one step and the next. */
      pause: z.int().default(0),
      stays: z.boolean().default(false),
    }),
    emits: z.string(),
    receives: { stop: z.object({}) },
  },
  async ({ count, size, pause, stays }, { step, emit, receive }) => {
    for (let at = 0; at < count; at += 1) {
      emit(`${at}:${'x'.repeat(size)}`);
      if (at % 5 === 4 || pause > 0) await step('tick', () => (pause === 0 ? at : sleep(pause, at)));
    }
    if (stays) await receive('stop');
    return count;
  },
);

/** Fails, and says more than it should. */
const failing = workflow('failing', { input: z.object({}) }, async () => {
  throw new Error('the password is hunter2');
});

/** Has questions of its own as a child. */
export const outer = graph('outer', { state: { note: z.string().default('') } })
  .graph('inner', refunds, { in: () => ({ order: 'inner', cents: 1 }), out: () => ({ note: 'done' }) })
  .edge('start', 'inner')
  .edge('inner', 'end')
  .compile();

export const graphs = { refunds, ticker, failing, outer };

/** An engine that executes runs, on a new store of the kind that the test is about. */
export async function openHere(options: EngineOptions = {}, store: Store = newStore()): Promise<Engine> {
  const engine = await openEngine(store, { graphs: Object.values(graphs), ...options });
  onTestFinished(() => engine.close());
  return engine;
}

/** What an answer was. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The tests look into it as they like.
  readonly body: never;
}

/** Asks the API. */
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** A server that listens, on an engine that executes. */
export interface Served {
  readonly engine: Engine;
  readonly server: RunningServer;
  readonly base: string;
  readonly ask: Ask;
}

/** Serves a new store. */
export async function served(options: ServeOptions & { readonly engine?: Engine | undefined } = {}): Promise<Served> {
  const { engine = await openHere(), ...rest } = options;
  const server = await serve(engine, { graphs, ...rest });
  onTestFinished(() => server.close());
  const base = `http://127.0.0.1:${server.port}`;
  const token: Record<string, string> = server.token === undefined ? {} : { authorization: `Bearer ${server.token}` };
  return { engine, server, base, ask: askAt(base, token) };
}

/** Asks a server with these headers. */
export function askAt(base: string, always: Readonly<Record<string, string>>): Ask {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { ...always, ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as never };
  };
}
