import type { Env } from '../env/env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { NewEntry } from '../record/record.ts';
import type { NewSnapshot, Writer } from '../store/check/check-commit.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { HeaderState, NewRun, RunHeader } from '../store/contract/run.ts';

/** What to write, decided on the run as it is now; or the answer, if nothing needs to be written. */
export type Decision<T> =
  | { readonly done: T }
  | {
      readonly entries: readonly NewEntry[];
      readonly header?: Partial<HeaderState> | undefined;
      readonly snapshot?: NewSnapshot | undefined;
      /** The name of a run that this creates. */
      readonly graph?: string | undefined;
      /** The parent of a run that this creates. */
      readonly parentId?: string | undefined;
      /** The answer, given the seq of the first record. */
      readonly answer: (firstSeq: number) => T;
    };

/** What a writer decides on: at least the header of the run. */
interface Found {
  readonly header: RunHeader;
}

/** How a writer reads the run, and what it decides: again after every conflict. Undefined: there is no such run yet. */
export interface Write<T, F extends Found> {
  readonly read: () => Promise<F | undefined>;
  readonly decide: (found: F | undefined) => Promise<Decision<T>> | Decision<T>;
}

/** After this many lost races in a row, something else is wrong. */
const maxTries = 100;

/** The first header of a journal run. */
const newJournalRun: HeaderState = { status: 'running', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };

/** Writes to runs without a lease: reads the run, decides, commits, and does so again after a conflict. */
export class RunWriter {
  readonly #store: CheckedStore;
  readonly #env: Env;
  /** The last write of each run in this process: one after another, so that they do not refuse each other. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(store: CheckedStore, env: Env) {
    this.#store = store;
    this.#env = env;
  }

  /** @throws HOLDFAST_CONFLICT when other writers are always faster */
  writeOn<T, F extends Found>(runId: string, write: Write<T, F>): Promise<T> {
    return this.inTurn(runId, () => this.#writeNow(runId, write));
  }

  /** Does something while nobody else of this process writes to the run. */
  async inTurn<T>(runId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(runId) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => undefined);
    this.#last.set(runId, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(runId) === settled) this.#last.delete(runId);
    }
  }

  async #writeNow<T, F extends Found>(runId: string, { read, decide }: Write<T, F>): Promise<T> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const found = await read();
      const header = found?.header;
      const decision = await decide(found);
      if ('done' in decision) return decision.done;
      const { entries, snapshot } = decision;
      const expect = header?.head ?? 0;
      const written = header === undefined ? { ...newJournalRun, ...decision.header } : decision.header;
      const commit = {
        runId,
        writer: this.#writerOf(header, decision),
        expect,
        epoch: header?.epoch,
        entries,
        header: written,
        snapshot,
      };
      const outcome = await this.#store.commit(commit);
      if (outcome.ok) return decision.answer(expect + 1);
      if (outcome.found?.hidden) throw deleted(runId);
    }
    throw holdfastError(
      'HOLDFAST_CONFLICT',
      `Run "${runId}" has too many concurrent writers: ${maxTries} attempts were refused. Try again later.`,
      {
        details: { runId },
      },
    );
  }

  #writerOf(
    header: RunHeader | undefined,
    {
      graph = '',
      parentId = null,
    }: { readonly graph?: string | undefined; readonly parentId?: string | null | undefined },
  ): Writer {
    if (header !== undefined) return { by: header.kind === 'journal' ? 'journal' : 'external' };
    const createdAt = this.#env.clock.now();
    const of: NewRun = {
      kind: 'journal',
      graph,
      version: 0,
      forkedAt: null,
      parentId,
      createdAt,
      worker: null,
    };
    return { by: 'creator', of };
  }
}

function deleted(runId: string): Error {
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run "${runId}" was deleted, but forks still need its records. Use another id.`,
    {
      details: { runId },
    },
  );
}
