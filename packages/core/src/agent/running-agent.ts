import type { Engine } from '../engine/engine.ts';
import { nodeEnv } from '../env/node-env.ts';
import { shutdownOnSignal } from '../env/shutdown-on-signal.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { durationMs } from '../time/duration.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import type { Agent, AgentOptions, RecoveredAgent, ShutdownOptions, ShutdownReport } from './agent.ts';
import { type AgentEvent, type AgentPhase, nextPhase } from './lifecycle.ts';
import { momentToSave, recoveredAgent } from './saved-agent.ts';
import { TaskSet } from './task-set.ts';

const defaultDrainMs = 10_000;

interface Life<AppState> {
  readonly id: string;
  readonly initial: AppState;
  readonly recovered: RecoveredAgent<AppState> | undefined;
}

/** An agent that lives. */
export class RunningAgent<AppState> implements Agent<AppState> {
  readonly id: string;
  readonly recovered: RecoveredAgent<AppState> | undefined;
  readonly #engine: Engine;
  readonly #tasks = new TaskSet();
  #phase: AgentPhase;
  #appState: AppState;
  /** The last checkpoint of this life. */
  #saved: string | undefined;
  /** Saves and transitions run one after another: each sees the phase that the previous one set. */
  #last: Promise<unknown> = Promise.resolve();
  #shutdown: Promise<ShutdownReport> | undefined;
  /** Later updates would no longer be saved. */
  #sealed = false;
  #unheed: () => void = () => {};

  static async open<AppState>(
    engine: Engine,
    id: string,
    { initial, signals = false }: AgentOptions<AppState>,
  ): Promise<Agent<AppState>> {
    const found = await engine.checkpoints.latest(id);
    const recovered = found === undefined ? undefined : recoveredAgent<AppState>(found);
    const agent = new RunningAgent(engine, { id, initial, recovered });
    if (signals) agent.heedSignals();
    return agent;
  }

  private constructor(engine: Engine, { id, initial, recovered }: Life<AppState>) {
    this.#engine = engine;
    this.id = id;
    this.recovered = recovered;
    this.#appState = frozenCopy(recovered === undefined ? initial : recovered.state);
    this.#phase = recovered === undefined || recovered.phase === 'terminated' ? 'init' : recovered.phase;
  }

  get phase(): AgentPhase {
    return this.#phase;
  }

  get appState(): AppState {
    return this.#appState;
  }

  heedSignals(): void {
    this.#unheed = shutdownOnSignal((reason) => this.shutdown({ reason }));
  }

  async transition(event: AgentEvent): Promise<AgentPhase> {
    this.#refuseWhen(this.#shutdown !== undefined);
    return this.#inOrder(async () => {
      const next = nextPhase(this.id, this.#phase, event);
      this.#sealed = next === 'terminated';
      try {
        await this.#save({ phase: next, reason: event });
      } catch (error) {
        this.#sealed = this.#phase === 'terminated';
        throw error;
      }
      this.#phase = next;
      if (next === 'terminated') this.#end();
      return next;
    });
  }

  async task<T>(name: string, fn: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (typeof name !== 'string' || name === '') {
      throw holdfastError('HOLDFAST_INVALID_OPTION', 'The name of a task must be a string that is not empty.', {
        details: { option: 'name' },
      });
    }
    this.#refuseWhen(this.#shutdown !== undefined || this.#sealed);
    return this.#tasks.run(name, fn);
  }

  update(next: AppState): void {
    this.#refuseWhen(this.#sealed);
    this.#appState = frozenCopy(next);
  }

  async checkpoint(reason?: string): Promise<string> {
    return this.#inOrder(async () => {
      this.#refuseWhen(this.#sealed);
      return this.#save({ phase: this.#phase, reason });
    });
  }

  async shutdown({ reason = 'shutdown', drain = defaultDrainMs }: ShutdownOptions = {}): Promise<ShutdownReport> {
    const drainMs = durationMs(drain, 'drain');
    this.#shutdown ??= this.#terminate(reason, drainMs);
    return this.#shutdown;
  }

  async #terminate(reason: string, drainMs: number): Promise<ShutdownReport> {
    // Saves and transitions that started earlier are part of this life.
    await this.#last.catch(() => undefined);
    if (this.#phase === 'terminated' && this.#saved !== undefined) return { unfinished: [], checkpoint: this.#saved };
    const unfinished = await this.#tasks.drain(nodeEnv.clock, drainMs);
    // Before the checkpoint, which then has what aborted tasks put back.
    this.#tasks.abort(this.#refusal());
    try {
      const checkpoint = await this.#inOrder(() => {
        this.#sealed = true;
        return this.#save({ phase: this.#phase, reason, unfinished, rests: true });
      });
      return { unfinished, checkpoint };
    } finally {
      this.#sealed = true;
      this.#phase = 'terminated';
      this.#end();
    }
  }

  #end(): void {
    this.#tasks.abort(this.#refusal());
    this.#unheed();
  }

  async #save({ phase, reason, unfinished = this.#tasks.names, rests }: Save): Promise<string> {
    const isResting = rests === true || phase === 'suspended';
    const agent = this.id;
    const moment = momentToSave({ agent, appState: this.#appState, phase, unfinished, reason, rests: isResting });
    const { id } = await this.#engine.checkpoints.save(agent, moment);
    this.#saved = id;
    return id;
  }

  #inOrder<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.catch(() => undefined).then(act);
    this.#last = done;
    done.catch(() => undefined);
    return done;
  }

  #refuseWhen(condition: boolean): void {
    if (condition) throw this.#refusal();
  }

  #refusal(): HoldfastError {
    const what = this.#sealed ? 'is terminated' : 'is being shut down';
    return holdfastError('HOLDFAST_DRAINING', `Agent "${this.id}" ${what}. Open it again to continue.`, {
      details: { agent: this.id },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }
}

interface Save {
  readonly phase: AgentPhase;
  readonly reason: string | undefined;
  readonly unfinished?: readonly string[];
  readonly rests?: boolean;
}
