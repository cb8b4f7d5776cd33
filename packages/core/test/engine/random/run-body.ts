import { again, type Context, type Engine, HoldfastError, openEngine, type Store, type Wait, workflow } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { z } from 'zod';
import type { BodyPlan, CallPlan } from './body-plan.ts';

const question = { show: z.string(), answer: z.boolean() };
const asks = { a: question, b: question, c: question };
const receives = { a: z.string(), b: z.string(), c: z.string() };

type Calls = Context<{
  readonly state: Record<string, never>;
  readonly asks: typeof asks;
  readonly receives: typeof receives;
  readonly emits: unknown;
  readonly deps: object;
}>;

/** Ends what hangs, and nothing else: a machine may be busy. */
const hangsMs = 300_000;

/** What happened to a run. */
export interface Observed {
  /** Whether changed code was refused. */
  readonly hasDiverged: boolean;
  readonly status: string;
  /** Broken promises. */
  readonly violations: readonly string[];
}

interface BodyRun {
  readonly plan: BodyPlan;
  /** The code that a later process has. */
  readonly changed?: BodyPlan | undefined;
  /** Which of the open waits ends next, and when a new process takes over. */
  readonly choices: readonly number[];
  /** How often the body starts over. Default: 0. */
  readonly again?: number | undefined;
  readonly store?: Store | undefined;
}

/** Runs a random body to its end, across processes. */
export function runBody(options: BodyRun): Promise<Observed> {
  return new BodyDriver(options).run();
}

class BodyDriver {
  readonly #options: BodyRun;
  readonly #store: Store;
  readonly #violations: string[] = [];
  /** How often each effect has happened, by the call's id and how often the body had come to it. */
  readonly #effects = new Map<string, number>();
  /** What the last activation of the body has asked for. */
  #asked = new Set<string>();
  readonly #died = new Set<number>();
  #plan: BodyPlan;
  #hasDiverged = false;
  #engine!: Engine;
  #dying: Promise<void> | undefined;
  #choice = 0;
  /** The round that the body is in. */
  #round = 0;

  constructor(options: BodyRun) {
    this.#options = options;
    this.#plan = options.plan;
    this.#store = options.store ?? memoryStore();
  }

  async run(): Promise<Observed> {
    await this.#open();
    await this.#engine.start(this.#flow(), { round: 0 }, { id: 'r' });
    let status = 'running';
    for (let round = 0; round < 80; round += 1) {
      status = await this.#giveNext();
      if (status !== 'waiting' && status !== 'diverged' && status !== 'died') break;
    }
    await this.#engine.close();
    if (status === 'completed') this.#checkEffects();
    return { hasDiverged: this.#hasDiverged, status, violations: this.#violations };
  }

  async #open(): Promise<void> {
    this.#engine = await openEngine(this.#store, { graphs: [this.#flow()] });
  }

  async #reopen(): Promise<void> {
    await this.#engine.close();
    await this.#open();
    await this.#engine.recover();
  }

  /** Waits until the run needs something, and gives it. */
  async #giveNext(): Promise<string> {
    try {
      const outcome = await this.#engine.get(this.#flow(), 'r').outcome({ signal: AbortSignal.timeout(hangsMs) });
      if (outcome.status !== 'waiting') return outcome.status;
      const choice = this.#next();
      const { changed } = this.#options;
      const takesOver = changed !== undefined && !this.#hasDiverged && choice % 2 === 0;
      if (takesOver) this.#plan = changed;
      if (takesOver || choice % 3 === 0) await this.#reopen();
      await this.#give(outcome.waits, choice);
      return 'waiting';
    } catch (error) {
      const dying = this.#dying;
      this.#dying = undefined;
      await dying;
      const hasDiverged = HoldfastError.is(error, 'HOLDFAST_DIVERGED');
      if (!hasDiverged && dying !== undefined) return 'died';
      if (!hasDiverged) throw error;
      if (this.#options.changed === undefined) this.#violations.push(error.message);
      // The old code continues what the new code could not.
      this.#hasDiverged = true;
      this.#plan = this.#options.plan;
      await this.#reopen();
      return 'diverged';
    }
  }

  /** Ends one of the waits. */
  async #give(waits: readonly Wait[], choice: number): Promise<void> {
    const wait = waits[choice % waits.length];
    const run = await this.#engine.get(this.#flow(), 'r');
    if (wait?.kind === 'ask') await run.answer(wait.name as 'a', true, { id: wait.id }).catch(ignore);
    if (wait?.kind === 'receive') await run.send(wait.name as 'a', 'news');
    if (wait?.kind === 'effect') await run.settle(wait.key, { result: 'settled' }).catch(ignore);
  }

  #next(): number {
    const { choices } = this.#options;
    this.#choice += 1;
    return choices[this.#choice % choices.length] ?? 0;
  }

  #flow() {
    const retry = { attempts: 2, backoff: 0 };
    const input = z.object({ round: z.number() });
    return workflow('random-body', { input, asks, receives, retry }, async ({ round }, calls) => {
      const counts = new Map<number, number>();
      const earlier = [...this.#asked].filter((key) => !key.startsWith(`${round}:`));
      this.#asked = new Set(earlier);
      this.#round = round;
      await this.#part(this.#plan, calls, counts);
      return round < (this.#options.again ?? 0) ? again({ round: round + 1 }) : 'done';
    });
  }

  async #part(plan: BodyPlan, calls: Calls, counts: Map<number, number>): Promise<unknown> {
    switch (plan.type) {
      case 'call':
        return this.#call(plan, calls, counts);
      case 'sequence':
        for (const part of plan.parts) await this.#part(part, calls, counts);
        return undefined;
      case 'all':
        return Promise.all(plan.parts.map((part) => this.#part(part, calls, counts)));
      case 'race':
        return plan.parts.length === 0
          ? undefined
          : Promise.race(plan.parts.map((part) => this.#part(part, calls, counts)));
      case 'loop':
        for (let time = 0; time < plan.times; time += 1) await this.#part(plan.part, calls, counts);
        return undefined;
      case 'ways':
        if (calls.attempt > 1) return this.#part(plan.second, calls, counts);
        await this.#part(plan.first, calls, counts);
        throw new Error('the first way');
    }
  }

  #call(plan: CallPlan, calls: Calls, counts: Map<number, number>): Promise<unknown> {
    const { id, kind, name } = plan;
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const key = `${this.#round}:${id}.${count}`;
    this.#asked.add(key);
    switch (kind) {
      case 'ask':
        return calls.ask(name as 'a', '?');
      case 'receive':
        return calls.receive(name as 'a');
      case 'sleep':
        return calls.sleep(name, 1);
      default: {
        const policy = { retry: { attempts: 3, backoff: 0 }, ...(kind === 'once' && { effect: 'once' as const }) };
        const run = ({ attempt }: { readonly attempt: number }): Promise<string> => this.#step(plan, key, attempt);
        return calls.step(name, run, policy).catch(() => 'failed');
      }
    }
  }

  async #step({ id, kind, fails, turns, trouble }: CallPlan, key: string, attempt: number): Promise<string> {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    if (trouble === 'answers') {
      const run = await this.#engine.get(this.#flow(), 'r');
      await run.answer('a', true).catch(ignore);
    }
    if (attempt <= fails) throw new Error('not this time');
    if (kind === 'once') this.#effects.set(key, (this.#effects.get(key) ?? 0) + 1);
    if (trouble === 'dies' && !this.#died.has(id)) {
      this.#died.add(id);
      this.#dying ??= this.#reopen();
      return new Promise(() => {});
    }
    return key;
  }

  #checkEffects(): void {
    for (const [key, count] of this.#effects) {
      if (count > 1) this.#violations.push(`the effect ${key} happened ${count} times`);
      if (!this.#asked.has(key)) this.#violations.push(`the effect ${key} is no longer in the body`);
    }
  }
}

function ignore(): void {}
