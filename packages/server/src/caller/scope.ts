import type { Engine, RunQuery, RunSummary } from 'holdfast';
import { ApiError, invalidRequest, noSuchCheckpoint, noSuchRun } from '../api-error.ts';
import type { Action, Caller } from './caller.ts';

type Tags = Readonly<Record<string, string>>;

/** What a caller may see. Every read and write of a request goes through it. */
export class Scope {
  /** Undefined: all runs. */
  readonly tags: Tags | undefined;
  readonly #engine: Engine;
  readonly #known = new Map<string, RunSummary | undefined>();
  readonly #may: Caller['may'];
  readonly #readable = new Map<string, Promise<boolean>>();

  constructor(engine: Engine, { scope, may }: Pick<Caller, 'scope' | 'may'>) {
    this.#engine = engine;
    this.tags = scope;
    this.#may = may;
  }

  /** Whether there may be runs that the caller may not see. */
  get isBound(): boolean {
    return this.tags !== undefined || this.#may !== undefined;
  }

  /** Whether the caller may read the runs of a graph. Asked once for each graph. */
  reads(graph: string): Promise<boolean> {
    const known = this.#readable.get(graph);
    if (known !== undefined) return known;
    const asked = this.#isAllowed('read', graph);
    this.#readable.set(graph, asked);
    return asked;
  }

  /** @throws ApiError if the caller may not do this to runs of the graph */
  async allow(action: Action, graph: string): Promise<void> {
    if (await this.#isAllowed(action, graph)) return;
    throw new ApiError(403, 'HTTP_FORBIDDEN', `You may not ${action} runs of "${graph.slice(0, 256)}".`);
  }

  async #isAllowed(action: Action, graph: string): Promise<boolean> {
    if (this.#may === undefined) return true;
    // JavaScript may give anything: only true allows.
    const said: unknown = await this.#may(action, graph);
    return said === true;
  }

  /** The query, bound to the scope. A condition on a tag of the scope with another value matches nothing. */
  query(query: RunQuery): RunQuery | undefined {
    const tags = this.tagsWith(query.tags);
    return tags === undefined ? undefined : { ...query, ...(Object.keys(tags).length > 0 && { tags }) };
  }

  /** The tags of a query with those of the scope. Undefined if they contradict each other. */
  tagsWith(tags: Tags = {}): Tags | undefined {
    const own = Object.entries(this.tags ?? {});
    return own.every(([name, value]) => !Object.hasOwn(tags, name) || tags[name] === value)
      ? { ...tags, ...this.tags }
      : undefined;
  }

  /** A run that the caller may see. @throws ApiError, HOLDFAST_INVALID_ID */
  async run(runId: string): Promise<RunSummary> {
    const found = await this.find(runId);
    if (found === undefined) throw noSuchRun(runId);
    return found;
  }

  /** The same for a run that may not exist. */
  async find(runId: string): Promise<RunSummary | undefined> {
    if (!this.#known.has(runId)) await this.#load([runId]);
    return this.#known.get(runId);
  }

  /** Which of these runs the caller may see. */
  async seen(runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = [...new Set(runIds)];
    if (!this.isBound) return new Set(ids);
    const unknown = ids.filter((id) => !this.#known.has(id));
    for (let at = 0; at < unknown.length; at += pageSize) await this.#load(unknown.slice(at, at + pageSize));
    return new Set(ids.filter((id) => this.#known.get(id) !== undefined));
  }

  /** Checks a checkpoint's id, `run@seq`, or a run's id: both the run and the record have to be visible. @throws ApiError */
  async place(cursor: string): Promise<string> {
    const runId = runOf(cursor);
    const floor = await this.floor(runId);
    // A fork reads what it shares with its base under its own name.
    if (runId !== cursor && seqOf(cursor) <= floor) throw noSuchCheckpoint();
    return cursor;
  }

  /** The last seq of a run's history that belongs to a run of someone else. 0: the caller may see all of it. @throws ApiError */
  async floor(runId: string): Promise<number> {
    let { forkedAt } = await this.run(runId);
    const passed = new Set([runId]);
    while (forkedAt !== null && this.isBound) {
      const baseId = runOf(forkedAt);
      const base = await this.find(baseId);
      if (base === undefined) return seqOf(forkedAt);
      if (passed.has(baseId)) break;
      passed.add(baseId);
      forkedAt = base.forkedAt;
    }
    return 0;
  }

  /** Changes of a run are seen by the next read. */
  forget(runId: string): void {
    this.#known.delete(runId);
  }

  async #load(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#known.set(id, undefined);
    const tags = this.tags === undefined ? {} : { tags: this.tags };
    for await (const run of this.#engine.runs({ ids, ...tags }))
      if (await this.reads(run.graph)) this.#known.set(run.id, run);
  }
}

const pageSize = 500;

/** The run of `run@seq` or `run`. */
export function runOf(cursor: string): string {
  const at = cursor.lastIndexOf('@');
  if (at === 0 || cursor === '') throw invalidRequest(`"${cursor.slice(0, 256)}" does not name a run or a checkpoint.`);
  return at < 0 ? cursor : cursor.slice(0, at);
}

/** The seq of `run@seq`. */
export function seqOf(cursor: string): number {
  return Number(cursor.slice(cursor.lastIndexOf('@') + 1));
}
