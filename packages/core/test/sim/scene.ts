import type { StepFn } from '../../src/graph/step-fn.ts';
import type { Ledger } from './ledger.ts';
import type { SimProcess } from './sim-process.ts';
import type { World } from './world.ts';

/** The simulation that the code of the workloads runs in: one at a time in a thread. */
export interface Scene {
  readonly world: World;
  readonly ledger: Ledger;
  /** Runs whose code somebody has mended: what failed in them works from now on. */
  readonly mended: Set<string>;
  /** Calls are known by their order instead of by their names: a mutant. */
  readonly namesByOrder: boolean;
  /** Answers to closed questions are kept for the next question of the name: a mutant. */
  readonly keepsLateAnswers: boolean;
}

let active: Scene | undefined;

export function enterScene(scene: Scene): void {
  active = scene;
}

export function scene(): Scene {
  if (active === undefined) throw new Error('no simulation is in flight');
  return active;
}

/** What of a context the workloads use through `work`. */
export interface WorkContext {
  readonly runId: string;
  readonly index?: number | undefined;
  readonly step: <T>(
    name: string,
    fn: StepFn<T>,
    policy?: { readonly retry?: { readonly attempts: number; readonly backoff?: number }; readonly effect?: 'once' },
  ) => Promise<T>;
}

/** Tells that the body of a node begins, and of which version of its graph it is. */
export function begin({ runId, index }: WorkContext, node: string, version = 1): void {
  const { ledger } = scene();
  ledger.bodyBegins({ by: here().name, runId, node, item: index }, version);
}

/** Takes so long, in the process that asks. */
export function takeTime(mostMs: number): Promise<void> {
  const { world } = scene();
  return here().delay(world.random() * mostMs);
}

interface Work {
  readonly node: string;
  readonly name: string;
  readonly value?: string | undefined;
  /** So many tries fail. */
  readonly fails?: number | undefined;
  readonly tries?: number | undefined;
  readonly once?: boolean | undefined;
  /** The first execution of a `once` step has its effect and never ends. */
  readonly hangs?: boolean | undefined;
}

/** A step that takes time, is watched, and gives what it is told to. */
export function work(
  ctx: WorkContext,
  { node, name, value = name, fails = 0, tries = 1, once = false, hangs = false }: Work,
): Promise<string> {
  const execution = { runId: ctx.runId, node, item: ctx.index };
  const { step } = ctx;
  return step(
    scene().namesByOrder ? orderName(ctx) : name,
    async ({ key, attempt }) => {
      const { ledger } = scene();
      const by = here().name;
      ledger.stepBegins({ by, ...execution }, { key, attempt, name });
      ledger.work.stepBegins(by, ctx.runId);
      await takeTime(30);
      const executions = once ? ledger.onceHappens({ by, ...execution }, key) : 0;
      if (hangs && executions === 1) {
        ledger.work.stepEnds(by, ctx.runId);
        await new Promise(() => {});
      }
      await takeTime(20);
      ledger.work.stepEnds(by, ctx.runId);
      if (attempt > fails) return value;
      if (once) ledger.onceFails(key);
      throw new Error(`${name} fails`);
    },
    { ...(tries > 1 && { retry: { attempts: tries, backoff: 60 } }), ...(once && { effect: 'once' as const }) },
  );
}

const orders = new WeakMap<WorkContext, number>();

function orderName(ctx: WorkContext): string {
  const order = (orders.get(ctx) ?? 0) + 1;
  orders.set(ctx, order);
  return `call ${order}`;
}

/** The process whose event happens. */
export function here(): SimProcess {
  return scene().world.current as SimProcess;
}
