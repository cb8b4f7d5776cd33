import { type Listing, listing } from '../async/listing.ts';
import { compiledOf, findCompiled } from '../graph/compile/compiled.ts';
import type { AnyGraph } from '../graph/shape.ts';
import type { Change } from '../history/diff-states.ts';
import { createCheckpoints } from '../journal/checkpoint/checkpoints.ts';
import { createJournals } from '../journal/journals.ts';
import type { PrunePolicy } from '../journal/prune-policy.ts';
import { checkOptions, type KnownOptions } from '../value/check/check-options.ts';
import { checkRunId } from '../value/id.ts';
import { deleteGraphRun, tellDeleted } from './command/delete-graph-run.ts';
import { partsWithin } from './command/parts-within.ts';
import { type StartRun, startWithRoom } from './command/start-run.ts';
import type { Engine } from './engine.ts';
import type { DiffOptions, RunOptions, SubmitOptions } from './graph-run.ts';
import { recoverRuns } from './lease/recover.ts';
import type { OpenParts } from './open-parts.ts';
import type { EngineParts } from './parts.ts';
import { codeOf, getHeader } from './query/get-run.ts';
import { listRuns } from './query/list-runs.ts';
import { type AnswerOptions, type AskedHere, type AskQuery, findQuestion, openAsks } from './query/open-asks.ts';
import { RunHandle } from './run-handle.ts';
import { idIn, startedRun } from './started-run.ts';
import { type Worker, WorkerHandle, type WorkOptions } from './worker-handle.ts';

const runOptions: KnownOptions<RunOptions> = {
  id: true,
  turn: true,
  tags: true,
  maxSupersteps: true,
  timeout: true,
  pauseBefore: true,
  pauseAfter: true,
};

const submitOptions: KnownOptions<SubmitOptions> = { ...runOptions, within: true };

/** The public engine: each method delegates to one of the folders. */
export class OpenEngine implements Engine {
  readonly journal: Engine['journal'];
  readonly checkpoints: Engine['checkpoints'];
  readonly #parts: OpenParts;
  readonly #workers = new Set<Worker>();
  #closing: Promise<void> | undefined;

  constructor(parts: OpenParts) {
    this.#parts = parts;
    this.journal = createJournals(parts);
    const prune: Engine['checkpoints']['prune'] = async (runId, policy) => {
      const { pruneJournalRun } = await import('./retention/prune-run.ts');
      const { tellPruned } = await import('./retention/tell-pruned.ts');
      return tellPruned(parts.env, { runId, dryRun: policy.dryRun }, await pruneJournalRun(parts, runId, policy));
    };
    this.checkpoints = createCheckpoints({ store: parts.store, env: parts.env, writer: parts.writer, prune });
  }

  start(graph: unknown, input: unknown, options: RunOptions = {}): never {
    return this.#start(graph, input, { options, here: this.#parts.executes });
  }

  submit(graph: unknown, input: unknown, options: SubmitOptions = {}): never {
    return this.#start(graph, input, { options, here: false });
  }

  #start(
    graph: unknown,
    input: unknown,
    { options, here }: { readonly options: SubmitOptions; readonly here: boolean },
  ): never {
    const { newId } = this.#parts;
    const runId = idIn(options, newId);
    return startedRun(runId, this.#begin(graph, { runId, input, options, here }), newId) as never;
  }

  async #begin(given: unknown, start: Omit<StartRun, 'graph'>): Promise<RunHandle> {
    const { options } = start;
    if (start.here) checkOptions('start()', options, runOptions);
    else checkOptions<SubmitOptions>('submit()', options, submitOptions);
    const within =
      'within' in options && options.within !== undefined ? partsWithin(this.#parts, options.within) : undefined;
    const graph = compiledOf(given);
    this.#parts.registry.add(graph);
    const { runId, cursor } = await startWithRoom(within?.parts ?? this.#parts, { ...start, graph });
    return new RunHandle(this.#parts, { id: runId, cursor, graph, isOpen: within?.isOpen });
  }

  get(graphOrId: AnyGraph | string, maybeId?: string): never {
    const isTyped = typeof graphOrId !== 'string';
    const id = isTyped ? (maybeId as string) : graphOrId;
    return startedRun(id, this.#get(id, isTyped ? graphOrId : undefined), this.#parts.newId) as never;
  }

  async #get(given: string, typed: AnyGraph | undefined, parts: EngineParts = this.#parts): Promise<RunHandle> {
    const graph = typed && compiledOf(typed);
    const id = checkRunId(given);
    if (graph !== undefined) this.#parts.registry.add(graph);
    const header = await getHeader(parts, id, graph);
    const code = graph ?? (await codeOf(parts, header));
    return new RunHandle(this.#parts, { id, cursor: String(header.head), graph: code });
  }

  runs(query: Parameters<Engine['runs']>[0] = {}): ReturnType<Engine['runs']> {
    return listing(() => listRuns(this.#parts, query));
  }

  asks(queryOrGraph: AskQuery | AnyGraph = {}, query: Omit<AskQuery, 'graph'> = {}): Listing<never> {
    const graph = findCompiled(queryOrGraph)?.name;
    const wanted = graph === undefined ? (queryOrGraph as AskQuery) : { ...query, graph };
    return listing(() => openAsks(this.#parts, wanted)) as Listing<never>;
  }

  async answer(question: AskedHere | string, value: unknown, options: AnswerOptions = {}): Promise<void> {
    const { by, within } = checkOptions('answer()', options, { by: true, within: true });
    const parts = within === undefined ? this.#parts : partsWithin(this.#parts, within).parts;
    const { id, runId, name } = await findQuestion(parts, question);
    const run = await this.#get(runId, undefined, parts);
    await run.answer(name, value, { id, by, within });
  }

  // Loaded on demand: few programs compare runs.
  async diff(from: string, to: string, options?: DiffOptions): Promise<readonly Change[]> {
    const { diffRuns } = await import('./query/diff-runs.ts');
    return diffRuns(this.#parts.store, { from, to }, options);
  }

  // Loaded on demand: a build is checked once, before it is deployed.
  async check(graphs?: readonly AnyGraph[]): ReturnType<Engine['check']> {
    const compiled = graphs === undefined ? this.#parts.registry.all() : graphs.map(compiledOf);
    const { strandedRuns } = await import('./query/check-graphs.ts');
    return strandedRuns(this.#parts, compiled);
  }

  recover(): Promise<number> {
    return recoverRuns(this.#parts);
  }

  work(options?: WorkOptions): Worker {
    const worker = new WorkerHandle(this.#parts, options);
    this.#workers.add(worker);
    const forget = (): boolean => this.#workers.delete(worker);
    worker.done.then(forget, forget);
    return worker;
  }

  // Loaded on demand: most processes never prune.
  async prune(policy: PrunePolicy): ReturnType<Engine['prune']> {
    const { pruneRuns } = await import('./retention/prune-runs.ts');
    const { tellPruned } = await import('./retention/tell-pruned.ts');
    return tellPruned(this.#parts.env, policy, await pruneRuns(this.#parts, policy));
  }

  async delete(runId: string, options: { readonly by?: string | undefined } = {}): Promise<boolean> {
    const { by } = checkOptions('delete()', options, { by: true });
    const isDeleted = await deleteGraphRun(this.#parts, runId);
    if (isDeleted) tellDeleted(this.#parts.env, runId, by);
    return isDeleted;
  }

  // Loaded on demand: few programs move runs.
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
    // Closing the parts cuts their drains short.
    const stopped = Array.from(this.#workers, (worker) => worker.stop());
    await this.#parts.close();
    await Promise.all(stopped);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
