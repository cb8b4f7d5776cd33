import { type Context, type Engine, type Migration, type Policy, workflow } from 'holdfast';
import { expect } from 'vitest';
import { z } from 'zod';
import { all, type Place } from './every-place.ts';

export const go = { show: z.string(), answer: z.boolean() };
export const asks = { go, later: go };
export const receives = { news: z.string() };

type Calls = Context<{
  readonly state: Record<string, never>;
  readonly asks: typeof asks;
  readonly receives: typeof receives;
  readonly emits: unknown;
  readonly deps: object;
}>;

export type Body = (calls: Calls) => Promise<unknown>;

export interface FlowOptions extends Pick<Policy, 'retry'> {
  readonly version?: number;
  readonly migrate?: Readonly<Record<number, Migration>>;
}

/** Some code of the one workflow that these tests change. */
export function flow(body: Body, options: FlowOptions = {}) {
  return workflow('flow', { input: z.object({}), asks, receives, ...options }, (_, calls) => body(calls));
}

export type Flow = ReturnType<typeof flow>;

/** Runs some code until it waits, and opens the store again with other code. */
export async function deploy(here: Place, before: Flow, after: Flow) {
  const old = await here.open();
  await (await old.start(before, {}, { id: 'r' })).outcome();
  await old.close();
  return open(here, after);
}

export async function open(here: Place, code: Flow) {
  const engine = await here.open({ graphs: [code] });
  return { engine, run: await engine.get(code, 'r') };
}

/** Answers the question, and expects the code to be refused with the run as it is. */
export async function expectRefusal(here: Place, code: Flow, details: object): Promise<void> {
  const { engine, run } = await open(here, code);
  await run.answer('go', true);
  const before = await recordsOf(engine);
  await expect(run.outcome()).rejects.toMatchObject({ code: 'HOLDFAST_DIVERGED', details });
  expect(await recordsOf(engine)).toEqual(before);
  await engine.close();
}

export async function recordsOf(engine: Engine) {
  return (await all(engine.journal.read('r'))).map(({ seq, kind, payload }) => ({ seq, kind, payload }));
}

export const once = { effect: 'once' } as const;

export const twoSteps: Body = async ({ step, ask }) => [
  await step('a', () => 1),
  await step('b', () => 2),
  await ask('go', '?'),
];
