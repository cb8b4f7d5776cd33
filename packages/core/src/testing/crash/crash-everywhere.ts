import type { EngineOptions } from '../../engine/engine.ts';
import type { Outcome, Run, RunEvent, Wait } from '../../engine/graph-run.ts';
import { openEngine } from '../../engine/open.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { Graph, Shape } from '../../graph/shape.ts';
import { MemoryDriver } from '../../store/memory/driver.ts';
import { MemoryPlace } from '../../store/memory/memory-place.ts';
import { defineStore } from '../../store/store.ts';
import { sameValue } from '../../value/equal.ts';
import { type Death, DyingDriver } from './dying-driver.ts';
import { JumpClock } from './jump-clock.ts';
import { countBeginning, finishedSteps, type StepCount, stepOf } from './step-count.ts';

/** How a graph is run and crashed. */
export interface CrashOptions<S extends Shape> extends EngineOptions {
  /** Called whenever the run waits, to answer, send or settle. */
  readonly onIdle?: ((run: Run<S>, waits: readonly Wait<S['asks']>[]) => Promise<void>) | undefined;
  /**
   * A step by name that may run more than once (it is repeatable and was cut in the middle). Default: every unfinished
   * one, and no finished one.
   */
  readonly mayRepeat?: ((step: string) => boolean) | undefined;
}

/** What came of all the crashes. */
export interface CrashReport<S extends Shape> {
  readonly crashes: number;
  readonly outcome: Outcome<S>;
}

const runId = 'crash-everywhere';

/**
 * Runs the graph once undisturbed, then once for every commit with a crash before and after it. Sleeps and backoffs take
 * no time unless a clock is given.
 *
 * @example
 * ```ts
 * const { outcome, crashes } = await crashEverywhere(refunds, { order: 'ord-81' }, {
 *   onIdle: async (run) => run.answer('approval', true),
 * });
 * console.log(outcome.status, crashes);
 * ```
 *
 * @throws HOLDFAST_CRASHED for the first that ends otherwise or repeats a finished step
 */
export async function crashEverywhere<S extends Shape>(
  graph: Graph<S>,
  input: S['input'],
  options: CrashOptions<S> = {},
): Promise<CrashReport<S>> {
  const given: Given<S> = { graph, input, options };
  const steps: StepCount = new Map();
  const whole = await live(given, new MemoryPlace(), { steps });
  if (whole.outcome === undefined) throw new Error('A run that nothing crashed has an outcome.');
  let crashes = 0;
  for (let commit = 1; commit <= whole.commits; commit += 1) {
    for (const when of ['before', 'after'] as const) {
      await crashOnce(given, { commit, when }, { outcome: whole.outcome, steps });
      crashes += 1;
    }
  }
  return { crashes, outcome: whole.outcome };
}

interface Given<S extends Shape> {
  readonly graph: Graph<S>;
  readonly input: S['input'];
  readonly options: CrashOptions<S>;
}

interface Undisturbed<S extends Shape> {
  readonly outcome: Outcome<S>;
  readonly steps: StepCount;
}

async function crashOnce<S extends Shape>(given: Given<S>, death: Death, expected: Undisturbed<S>): Promise<void> {
  const disk = new MemoryPlace();
  const before: StepCount = new Map();
  await live(given, disk, { steps: before, death });
  const finished = await finishedOn(disk);
  const after: StepCount = new Map();
  const { outcome } = await live(given, disk, { steps: after });
  if (!sameValue(essence(outcome as Outcome), essence(expected.outcome as Outcome))) {
    throw crashed(death, `the run came to ${told(outcome)}. Undisturbed it came to ${told(expected.outcome)}`);
  }
  const repeated = repeatedStep(given.options, {
    expected: expected.steps,
    before,
    finished,
    after,
  });
  if (repeated !== undefined) throw crashed(death, `step ${repeated} ran again, though it had run already`);
}

interface Counts {
  readonly expected: StepCount;
  /** Begun before the crash. */
  readonly before: StepCount;
  /** Finished before the crash: their end is in the journal. */
  readonly finished: StepCount;
  readonly after: StepCount;
}

async function finishedOn(disk: MemoryPlace): Promise<StepCount> {
  await using engine = await openEngine(
    defineStore(async (env) => new MemoryDriver(disk, env)),
    { executes: false },
  );
  return await finishedSteps(engine.journal.read(runId));
}

function repeatedStep(
  { mayRepeat }: Pick<CrashOptions<Shape>, 'mayRepeat'>,
  { expected, before, finished, after }: Counts,
): string | undefined {
  for (const [key, begunAfter] of after) {
    const due = expected.get(key) ?? 0;
    const step = stepOf(key);
    const isFinishedAgain = begunAfter > due - (finished.get(key) ?? 0);
    const isAgain = begunAfter + (before.get(key) ?? 0) > due;
    if (mayRepeat === undefined ? isFinishedAgain : isAgain && !mayRepeat(step)) return step;
  }
  return undefined;
}

interface Life {
  readonly steps: StepCount;
  readonly death?: Death | undefined;
}

/** One process: from its start to the end of the run, or to its death. */
async function live<S extends Shape>(
  { graph, input, options }: Given<S>,
  disk: MemoryPlace,
  { steps, death }: Life,
): Promise<{ readonly outcome: Outcome<S> | undefined; readonly commits: number }> {
  const { onIdle } = options;
  const jumping = options.clock === undefined ? new JumpClock() : undefined;
  const clock = options.clock ?? jumping ?? nodeEnv.clock;
  const driver = new DyingDriver(new MemoryDriver(disk, { ...nodeEnv, clock }), death);
  const engine = await openEngine(
    defineStore(async () => driver),
    { ...engineOptionsOf(options), clock, graphs: [graph, ...(options.graphs ?? [])] },
  );
  const pump = jumping === undefined ? undefined : setInterval(() => jump(disk, jumping), 1);
  const listening = new AbortController();
  const drive = async (): Promise<Outcome<S>> => {
    const run = await engine.submit(graph, input, { id: runId });
    // Whoever listens only after the run continues misses what happens first.
    const counted = await listen(run, steps, listening.signal);
    await engine.recover();
    const outcome = await untilStill(run, onIdle);
    listening.abort();
    await counted.ended;
    return outcome;
  };
  const outcome = await Promise.race([drive(), driver.died.then(() => undefined)]);
  clearInterval(pump);
  listening.abort();
  // The lease of a dead process ends in time; nobody has to wait for that here.
  if (driver.isDead) for (const run of disk.runs.values()) run.worker = null;
  else await engine.close();
  return { outcome, commits: driver.commits };
}

/** Moves time on to the moment that the next run sleeps for. */
function jump(disk: MemoryPlace, clock: JumpClock): void {
  let first = Number.POSITIVE_INFINITY;
  for (const { state, worker } of disk.runs.values()) {
    if (worker !== null) return;
    const { wakeAt } = state;
    if (wakeAt !== null && wakeAt < first) first = wakeAt;
  }
  if (Number.isFinite(first)) clock.jumpTo(first);
}

/** Counts the steps that begin; resolves when nothing can be missed any more. */
async function listen<S extends Shape>(
  run: Run<S>,
  steps: StepCount,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const events = run.events({ signal })[Symbol.asyncIterator]();
  await events.next();
  const read = async (): Promise<void> => {
    try {
      for (let event = await events.next(); event.done !== true; event = await events.next()) {
        countBeginning(steps, event.value as RunEvent);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return { ended: read() };
}

async function untilStill<S extends Shape>(run: Run<S>, onIdle: CrashOptions<S>['onIdle']): Promise<Outcome<S>> {
  for (;;) {
    const outcome = await run.outcome();
    if (outcome.status !== 'waiting' || onIdle === undefined) return outcome;
    const { head } = await run.summary();
    await onIdle(run, outcome.waits);
    const after = await run.summary();
    if (after.head === head && after.status === 'waiting') return outcome;
  }
}

/** What two outcomes have to agree in; ids and times of waits are each run's own. */
function essence(outcome: Outcome): unknown {
  const state = { ...outcome.state };
  switch (outcome.status) {
    case 'completed':
      return { status: outcome.status, state, output: plain(outcome.output) };
    case 'waiting':
      return {
        status: outcome.status,
        state,
        waits: outcome.waits.map((wait) => ({ kind: wait.kind, node: wait.node })),
      };
    case 'suspended':
      return { status: outcome.status, state };
    case 'failed':
      return { status: outcome.status, state, code: outcome.error.code, message: outcome.error.message };
    case 'cancelled':
      return { status: outcome.status, state };
  }
}

function plain(output: unknown): unknown {
  return typeof output === 'object' && output !== null && !Array.isArray(output) ? { ...output } : output;
}

function told(outcome: unknown): string {
  const { status, ...rest } = essence(outcome as Outcome) as { readonly status: string };
  return `${status} ${JSON.stringify(rest)}`;
}

function crashed({ commit, when }: Death, what: string): Error {
  return holdfastError('HOLDFAST_CRASHED', `After a crash ${when} commit ${commit}, ${what}.`, {
    details: { commit, when },
  });
}

/** What is the engine's: it refuses options that it does not know. */
function engineOptionsOf(options: EngineOptions): EngineOptions {
  const own: ReadonlySet<string> = new Set(['onIdle', 'mayRepeat']);
  return Object.fromEntries(Object.entries(options).filter(([name]) => !own.has(name)));
}
