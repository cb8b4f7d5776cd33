import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { counter } from '../../../src/channel/counter.ts';
import { list } from '../../../src/channel/list.ts';
import type { Run } from '../../../src/engine/graph-run.ts';
import { graph } from '../../../src/graph/graph.ts';
import type { ShapeOf } from '../../../src/graph/shape.ts';
import { workflow } from '../../../src/graph/workflow.ts';

/** Super-steps of a run, unless told otherwise. */
export const defaultSteps = 200;

/** Ways to break an engine that the kills have to find. */
export const mutants = [
  'forgets results',
  'runs finished siblings again',
  'acknowledges before it is durable',
] as const;

/** What an effect, or a node's body, writes of itself: durable before it continues. */
export interface EffectLine {
  readonly life: number;
  readonly what: 'effect' | 'body';
  /** The step, or the task. */
  readonly name: string;
  readonly key: string;
}

/** Appends a line to the log of effects, durably. */
export type LogEffect = (line: Omit<EffectLine, 'life'>) => void;

/** A log of effects in a file. */
export function effectLog(path: string, life: number): LogEffect {
  return (line) => {
    const file = openSync(path, 'a');
    writeSync(file, `${JSON.stringify({ life, ...line })}\n`);
    fsyncSync(file);
    closeSync(file);
  };
}

const kinds = ['again', 'once', 'each', 'ask', 'mail', 'nap', 'kid'] as const;

/** The code of the children. After a crash nobody but whoever opens the store has it: their parent waits, and does not run. */
export function victimKid(log: LogEffect) {
  return workflow('kid', { input: z.object({ n: z.number() }) }, ({ n }, { step }) =>
    step(`kid-${n}`, ({ key }) => {
      log({ what: 'effect', name: `kid-${n}`, key });
      return n;
    }),
  );
}

/** A graph of so many super-steps with everything in it; each step logs what it does. */
export function victimGraph(log: LogEffect, steps = defaultSteps) {
  const next = (n: number): (typeof kinds)[number] | 'end' =>
    n >= steps ? 'end' : (kinds[n % kinds.length] as (typeof kinds)[number]);
  const effect = (name: string, key: string, value: number): number => {
    log({ what: 'effect', name, key });
    return value;
  };
  const kid = victimKid(log);
  return graph('victim', {
    state: { n: counter(), sum: counter(), log: list<string>() },
    asks: { ok: { show: z.number(), answer: z.number() } },
    receives: { mail: z.number() },
  })
    .node('again', async ({ state: { n }, step }) => {
      const a = await step(`again-a-${n}`, ({ key }) => effect(`again-a-${n}`, key, 1));
      const b = await step(`again-b-${n}`, async ({ key }) => {
        // So that kills find the first one finished.
        await new Promise((resolve) => setTimeout(resolve, 20));
        return effect(`again-b-${n}`, key, 2);
      });
      return { n: 1, sum: a + b };
    })
    .node('once', async ({ state: { n }, step }) => {
      const run = ({ key }: { readonly key: string }): number => effect(`once-${n}`, key, n);
      return { n: 1, sum: await step(`once-${n}`, run, { effect: 'once' }) };
    })
    .each(
      'each',
      () => [0, 1, 2, 3],
      async (item, { state: { n }, step }) => {
        log({ what: 'body', name: `${n + 1}/each/${item}`, key: '' });
        const value = await step(`each-${n}-${item}`, async ({ key }) => {
          // The last one takes its time, so that kills find its siblings finished.
          if (item === 3) await new Promise((resolve) => setTimeout(resolve, 20));
          return effect(`each-${n}-${item}`, key, item);
        });
        return { sum: value, log: `${n}/${item}`, ...(item === 0 && { n: 1 }) };
      },
      { concurrency: 2 },
    )
    .node('ask', async ({ state: { n }, ask }) => ({ n: 1, sum: await ask('ok', n) }))
    .node('mail', async ({ receive }) => ({ n: 1, sum: await receive('mail') }))
    .node('nap', async ({ sleep }) => {
      await sleep('nap', 2);
      return { n: 1 };
    })
    .node('kid', async ({ state: { n }, child }) => ({ n: 1, sum: await child('kid', kid, { n }) }))
    .route('start', kinds, () => 'again')
    .route('again', [...kinds, 'end'], ({ n }) => next(n))
    .route('once', [...kinds, 'end'], ({ n }) => next(n))
    .route('each', [...kinds, 'end'], ({ n }) => next(n))
    .route('ask', [...kinds, 'end'], ({ n }) => next(n))
    .route('mail', [...kinds, 'end'], ({ n }) => next(n))
    .route('nap', [...kinds, 'end'], ({ n }) => next(n))
    .route('kid', [...kinds, 'end'], ({ n }) => next(n))
    .compile();
}

/** The types of the graph. */
export type VictimShape = ShapeOf<ReturnType<typeof victimGraph>>;

/** Gives the run what it waits for until it has ended, whoever executes it. */
export async function attend(
  run: Run<VictimShape>,
  hasHappened: (key: string) => boolean,
  signal?: AbortSignal,
): Promise<unknown> {
  for (;;) {
    const outcome = await run.outcome({ signal });
    if (outcome.status !== 'waiting') return outcome;
    for (const wait of outcome.waits) {
      if (wait.kind === 'ask') await run.answer('ok', 5, { id: wait.id });
      // The same message again, after a crash, is the same message.
      if (wait.kind === 'receive') await run.send('mail', 7, { id: wait.id });
      if (wait.kind === 'effect') {
        const n = Number(wait.name.slice('once-'.length));
        await run.settle(wait.key, hasHappened(wait.key) ? { result: n } : 'retry');
      }
    }
  }
}
