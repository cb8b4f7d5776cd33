import { never } from '../../../async/never.ts';
import type { Env } from '../../../env/env.ts';
import { inSpan } from '../../../env/observe/in-span.ts';
import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { type TransactionWork, transactionOf } from '../../../graph/body/transaction-step.ts';
import type { CompiledPolicy, CompiledRetry } from '../../../graph/compile/compiled-graph.ts';
import type { StepPolicy } from '../../../graph/policy.ts';
import { compilePolicy } from '../../../graph/policy.ts';
import { backoffMs } from '../../../time/backoff.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import { privateCopy } from '../../../value/frozen/private-copy.ts';
import type { CallPlace } from '../../fold/payload.ts';
import { asHoldfastError, inspectable, reviveError, storeError } from '../../fold/stored-error.ts';
import { stepSpan, tellRetry } from '../../spans.ts';
import type { MadeCall, RaisedWait, TaskRun } from '../task-run.ts';
import { withTimeout } from '../with-timeout.ts';
import type { StepCallInfo } from './step-call-info.ts';
import { transactStep } from './transact-step.ts';

interface StepCallOptions {
  readonly task: TaskRun;
  readonly made: MadeCall;
  readonly fn: (info: StepCallInfo) => unknown;
  readonly policy: StepPolicy | undefined;
}

/** Runs a step that has no journalled result, and journals it. */
export async function callStep(options: StepCallOptions): Promise<unknown> {
  const { task, made, policy } = options;
  const { place } = made;
  const compiled = compilePolicy(policy, `step ${place.name}`);
  const memo = task.memo(made);
  // A transaction has happened exactly if its result is there: nobody needs to be asked.
  const isOnce = policy?.effect === 'once' && transactionOf(options.fn) === undefined;
  const { env } = task.host;
  if ((task.retryAt(made) ?? 0) > env.clock.now()) return task.raise(undefined);
  // Someone has settled it since the body began.
  if (memo?.result !== undefined) return task.raise(undefined);
  if (memo?.intent !== undefined) return task.raise(memo.wait ? undefined : effectWait(made, memo.intent));
  const attempt = (memo?.attempts ?? 0) + 1;
  const outcome = await task.busy(() => tryStep({ ...options, compiled, isOnce, attempt }));
  return 'raise' in outcome ? task.raise(outcome.raise) : privateCopy(outcome.value);
}

/** A result, or a wait: for the next attempt, or for someone to settle an effect. */
type StepOutcome = { readonly value: unknown } | { readonly raise: RaisedWait | undefined };

interface TryOptions extends StepCallOptions {
  readonly compiled: CompiledPolicy;
  readonly isOnce: boolean;
  readonly attempt: number;
}

async function tryStep(options: TryOptions): Promise<StepOutcome> {
  const { task, made, isOnce, attempt } = options;
  const { place, after } = made;
  const { owned, env } = task.host;
  const key = task.keyOf(made);
  if (!(await task.mayBegin(made))) return never();
  const begun = task.order.begin();
  if (isOnce) task.add('intent', { ...place, key }, after);
  // Earlier records must be durable before the next effect begins.
  await owned.settleBefore();
  if (task.isDead) return never();
  const began = owned.state.head;
  task.host.onStep(place, attempt, 'start');
  const work = transactionOf(options.fn);
  let value: unknown;
  try {
    if (work !== undefined) {
      value = await runTransaction(options, work, { key, began });
      await task.order.admit(begun, undefined);
      task.host.keepEmits();
      return { value };
    }
    const result = await runStep(options, { key, began });
    if (task.isDead) return never();
    value = storable(options, result);
  } catch (caught) {
    if (owned.lost !== undefined || task.isDead) throw caught;
    const thrown = inspectable(caught);
    if (isOnce && isTimeout(thrown, place)) return { raise: effectWait(made, key) };
    return fail(options, thrown, begun);
  }
  task.host.keepEmits();
  task.add('result', { ...place, ...(value !== undefined && { value }) }, after);
  if (!isOnce) env.nextTick(() => void owned.flush().catch(() => undefined));
  const admitted = task.order.admit(begun, isOnce ? owned.flush() : undefined);
  if (admitted !== undefined) await admitted;
  return { value };
}

/** The effect has happened: a result that cannot be stored must not repeat it. */
function storable({ task, made }: TryOptions, result: unknown): unknown {
  try {
    return frozenCopy(result);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new UnstorableResult(
      `The result of step "${made.place.name}" of node "${task.spec.node.name}" cannot be stored. ${what}`,
      {
        cause,
      },
    );
  }
}

/** The error for an effect that has happened with a result that cannot be kept. */
export class UnstorableResult extends Error {
  override readonly name = 'UnstorableResult';
}

/** What tells this execution of a step from others. */
interface Execution {
  readonly key: string;
  /** The journal's head when it began. */
  readonly began: number;
}

async function runStep(
  { task, made: { place }, fn, attempt, compiled }: TryOptions,
  execution: Execution,
): Promise<unknown> {
  const { env } = task.host;
  const run = (): Promise<unknown> =>
    withTimeout({
      env,
      timeoutMs: compiled.timeoutMs,
      outer: () => task.signal,
      timeout: () => stepTimeout(task, place, compiled.timeoutMs),
      run: (signal) => env.calls.run(task, () => fn(new StepInfoView({ task, place, attempt, signal, ...execution }))),
    });
  return inSpan(env, () => stepSpan(task, place, attempt), run);
}

function runTransaction(options: TryOptions, work: TransactionWork, execution: Execution): Promise<unknown> {
  const { task, made, attempt, compiled } = options;
  const { place } = made;
  return transactStep({
    task,
    made,
    work,
    timeoutMs: compiled.timeoutMs,
    timeout: () => stepTimeout(task, place, compiled.timeoutMs),
    infoOf: (signal) => new StepInfoView({ task, place, attempt, signal, ...execution }),
    storable: (result) => storable(options, result),
  });
}

/** Journals a failed attempt. A step with attempts left waits; otherwise it rejects with this error from now on. */
async function fail(
  { task, made: { place, after }, attempt, compiled }: TryOptions,
  thrown: unknown,
  begun: number,
): Promise<StepOutcome> {
  const { owned, env } = task.host;
  const details = { runId: owned.state.runId, node: task.spec.node.name, step: place.name, attempts: attempt };
  const error = asHoldfastError(thrown, 'HOLDFAST_STEP_FAILED', `Step ${place.name}`, details);
  const { retry } = compiled;
  const delayMs = thrown instanceof UnstorableResult ? undefined : retryDelayMs({ retry, attempt, thrown, env });
  const now = env.clock.now();
  task.host.keepEmits();
  if (delayMs === undefined) {
    const stored = storeError(error);
    task.add('result', { ...place, error: stored }, after);
    await task.order.admit(begun, owned.flush());
    // Throw the stored form, so that code that inspects the error sees the same one on every run.
    throw reviveError(stored);
  }
  owned.add({ kind: 'attempt', at: now, payload: { ...place, error: storeError(error), retryAt: now + delayMs } });
  tellRetry(env, { task, step: place.name, attempt, retryAt: now + delayMs, error });
  await owned.flush();
  return { raise: undefined };
}

interface RetryOptions {
  readonly retry: CompiledRetry | undefined;
  readonly attempt: number;
  readonly thrown: unknown;
  readonly env: Env;
}

/** How long to wait before the next attempt. Undefined if there is none. */
export function retryDelayMs({ retry, attempt, thrown, env }: RetryOptions): number | undefined {
  if (retry === undefined || attempt >= retry.attempts) return undefined;
  try {
    const verdict = retry.on(thrown);
    if (verdict === false) return undefined;
    if (typeof verdict === 'number') return verdict;
    return backoffMs({ ...retry, attempt, random: env.random });
  } catch (error) {
    // The user's `on` failed: report the original failure.
    env.warn(`It is not retried, because \`retry.on\` failed: ${String(error)}`);
    return undefined;
  }
}

/** The effect may or may not have happened: someone has to call `settle`. */
export function effectWait({ place, after }: Pick<MadeCall, 'place' | 'after'>, key: string): RaisedWait {
  return { ...place, after, id: key, kind: 'effect' };
}

function stepTimeout(task: TaskRun, place: CallPlace, timeoutMs: number | undefined): HoldfastError {
  return holdfastError(
    'HOLDFAST_TIMEOUT',
    `Step "${place.name}" of node "${task.spec.node.name}" took longer than ${timeoutMs} ms.`,
    { details: { runId: task.state.runId, node: task.spec.node.name, step: place.name, timeoutMs } },
  );
}

function isTimeout(thrown: unknown, place: CallPlace): boolean {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    thrown.code === 'HOLDFAST_TIMEOUT' &&
    (thrown as HoldfastError).details['step'] === place.name
  );
}

interface StepInfoOptions extends Pick<TryOptions, 'task' | 'attempt'>, Execution {
  readonly place: CallPlace;
  readonly signal: () => AbortSignal;
}

/** Made to be destructured. The signal is created on first use. */
class StepInfoView implements StepCallInfo {
  readonly #options: StepInfoOptions;

  constructor(options: StepInfoOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#options.signal();
  }

  get key(): string {
    return this.#options.key;
  }

  get attempt(): number {
    return this.#options.attempt;
  }

  get emit(): (data: unknown) => void {
    const { task, place, attempt, began } = this.#options;
    const { name: step, ...rest } = place;
    return (data) => {
      if (!task.isDead) task.host.emit({ ...rest, step, ...(attempt > 1 && { attempt }), began, data });
    };
  }
}
