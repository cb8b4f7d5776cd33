import type { Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { compiledOf } from '../graph/compiled.ts';
import type { AnyGraph } from '../graph/shape.ts';
import { createCheckpoints } from '../journal/checkpoints.ts';
import { createJournals } from '../journal/journals.ts';
import type { PrunePolicy } from '../journal/prune-policy.ts';
import { RunWriter } from '../journal/run-writer.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Store } from '../store/store.ts';
import { checkRunId } from '../value/id.ts';
import { sortableIds } from '../value/sortable-id.ts';
import { Changes } from './changes.ts';
import { childRunsOf } from './command/child-runs.ts';
import { deleteGraphRun } from './command/delete-graph-run.ts';
import { notFound } from './command/external-writes.ts';
import { startRun } from './command/start-run.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { remindOfOthers, wakeForgottenParents, workUntil } from './lease/work-loop.ts';
import { Worker } from './lease/worker.ts';
import { openStoreAt } from './open-store-at.ts';
import type { EngineParts } from './parts.ts';
import { listRuns } from './query/list-runs.ts';
import { LiveBus } from './query/live-bus.ts';
import { openAsks } from './query/open-asks.ts';
import { checkpointSeq } from './query/run-history.ts';
import { SharedStates } from './query/shared-states.ts';
import { Registry } from './registry.ts';
import { pruneJournalRun } from './retention/prune-run.ts';
import { pruneRuns } from './retention/prune-runs.ts';
import type { Run, RunOptions } from './run.ts';
import { RunHandle } from './run-handle.ts';
import type { StoreUrl } from './store-at.ts';

const defaultLeaseMs = 5_000;

/** Opens a store by its address, or one of one's own. @throws HOLDFAST_INVALID_OPTION */
export async function openEngine(store: StoreUrl | Store, options: EngineOptions = {}): Promise<Engine> {
  const { clock } = options;
  return openEngineIn(clock === undefined ? nodeEnv : { ...nodeEnv, clock }, store, options);
}

/** Opens a store in an environment: the real one, or a simulated one. */
export async function openEngineIn(env: Env, store: StoreUrl | Store, options: EngineOptions = {}): Promise<Engine> {
  const { graphs = [], leaseMs = defaultLeaseMs } = options;
  if (!(Number.isFinite(leaseMs) && leaseMs > 0)) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'leaseMs is a number of milliseconds above 0.', {
      details: { option: 'leaseMs' },
    });
  }
  const compiled = graphs.map(compiledOf);
  const opened = await openStoreAt(store, env, options.encryption);
  const registry = new Registry();
  for (const graph of compiled) registry.add(graph);
  return new OpenEngine(assemble(env, opened, registry, { ...options, leaseMs }));
}

function assemble(
  env: Env,
  store: CheckedStore,
  registry: Registry,
  { executes = true, workerId, leaseMs = defaultLeaseMs, retention }: EngineOptions,
): EngineParts {
  const newId = sortableIds({ now: () => env.clock.now(), random: env.random });
  const changes = new Changes(store, env);
  const live = new LiveBus(() => env.clock.now());
  const id = workerId === undefined ? `w-${newId()}` : checkRunId(workerId);
  const worker = new Worker({ store, env, id, leaseMs, registry, changes, live, childRuns: () => parts.childRuns });
  const parts: EngineParts = {
    store,
    env,
    writer: new RunWriter(store, env),
    registry,
    changes,
    live,
    worker,
    executes,
    newId,
    states: new SharedStates(store, (place) => checkpointSeq(store, place)),
    retention,
    childRuns: {
      start: (parent, child) => childRuns.start(parent, child),
      end: (child) => childRuns.end(child),
      wake: (parentId, wait, child) => childRuns.wake(parentId, wait, child),
      cancelChildren: (parent) => childRuns.cancelChildren(parent),
    },
  };
  const childRuns = childRunsOf(parts);
  return parts;
}

class OpenEngine implements Engine {
  readonly journal: Engine['journal'];
  readonly checkpoints: Engine['checkpoints'];
  readonly #parts: EngineParts;
  #closing: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.journal = createJournals(parts);
    const prune: Engine['checkpoints']['prune'] = (runId, policy) => pruneJournalRun(parts, runId, policy);
    this.checkpoints = createCheckpoints({ ...parts, prune });
  }

  start(graph: AnyGraph, input: unknown, options: RunOptions = {}): Promise<never> {
    return this.#start(graph, input, { options, here: this.#parts.executes });
  }

  submit(graph: AnyGraph, input: unknown, options: RunOptions = {}): Promise<never> {
    return this.#start(graph, input, { options, here: false });
  }

  async #start(
    given: AnyGraph,
    input: unknown,
    { options, here }: { readonly options: RunOptions; readonly here: boolean },
  ): Promise<never> {
    const graph = compiledOf(given);
    this.#parts.registry.add(graph);
    const { runId, cursor } = await startRun(this.#parts, { graph, input, options, here });
    return new RunHandle(this.#parts, { id: runId, cursor, graph }) as never;
  }

  async get(graphOrId: AnyGraph | string, maybeId?: string): Promise<never> {
    const graph = typeof graphOrId === 'string' ? undefined : compiledOf(graphOrId);
    const id = checkRunId(typeof graphOrId === 'string' ? graphOrId : maybeId);
    if (graph !== undefined) this.#parts.registry.add(graph);
    const header = await this.#parts.store.header(id);
    if (header === undefined || header.kind === 'journal') throw notFound(id);
    if (graph !== undefined && graph.name !== header.graph) {
      throw holdfastError('HOLDFAST_INPUT_MISMATCH', `Run ${id} is a run of ${header.graph}, not of ${graph.name}.`, {
        details: { runId: id, graph: header.graph },
      });
    }
    const code = graph ?? this.#parts.registry.find(header);
    return new RunHandle(this.#parts, { id, cursor: String(header.head), graph: code }) as unknown as Run as never;
  }

  runs(query: Parameters<Engine['runs']>[0] = {}): ReturnType<Engine['runs']> {
    return listRuns(this.#parts, query);
  }

  asks(query: Parameters<Engine['asks']>[0] = {}): ReturnType<Engine['asks']> {
    return openAsks(this.#parts, query);
  }

  // Loaded when it is called: a build is checked once, before it is deployed.
  async check(graphs?: readonly AnyGraph[]): ReturnType<Engine['check']> {
    const compiled = graphs === undefined ? this.#parts.registry.all() : graphs.map(compiledOf);
    const { strandedRuns } = await import('./query/check-graphs.ts');
    return strandedRuns(this.#parts, compiled);
  }

  async recover(): Promise<number> {
    const page = 100;
    await wakeForgottenParents(this.#parts);
    let taken = 0;
    for (;;) {
      const claimed = await this.#parts.worker.claimDue(page);
      taken += claimed;
      if (claimed < page) break;
    }
    await remindOfOthers(this.#parts);
    return taken;
  }

  work(options: Parameters<Engine['work']>[0]): Promise<void> {
    return workUntil(this.#parts, options);
  }

  prune(policy: PrunePolicy): ReturnType<Engine['prune']> {
    return pruneRuns(this.#parts, policy);
  }

  delete(runId: string): Promise<boolean> {
    return deleteGraphRun(this.#parts, runId);
  }

  // Loaded when they are called: few programs move runs.
  async *export(...given: Parameters<Engine['export']>): AsyncGenerator<Uint8Array> {
    const { exportRun } = await import('./transfer/export-run.ts');
    yield* exportRun(this.#parts.store, ...given);
  }

  async import(...given: Parameters<Engine['import']>): ReturnType<Engine['import']> {
    const { importRun } = await import('./transfer/import-run.ts');
    return importRun(this.#parts, ...given);
  }

  async verify(): ReturnType<Engine['verify']> {
    const { verifyStore } = await import('../journal/verify.ts');
    return verifyStore(this.#parts.store);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#parts.worker.close();
    this.#parts.changes.close();
    await this.#parts.store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
