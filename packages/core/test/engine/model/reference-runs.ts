/** The state of the graph that the sequences run. */
export interface TapeState {
  readonly items: readonly number[];
  readonly page: Readonly<Record<string, number>>;
  readonly note: string | undefined;
}

/** A checkpoint as the model knows it; its id is learned from the store. */
export interface ModelCheckpoint {
  readonly id: string;
  readonly state: TapeState;
  readonly next: readonly string[];
  /** The fork of a run that had ended, there. */
  readonly isEnd?: boolean;
}

/** A run as the model keeps it: the whole history of it, copied. A fork shares nothing. */
export interface ModelRun {
  readonly id: string;
  /** Oldest first, those of its bases included. */
  history: readonly ModelCheckpoint[];
  /** The run and the seq that it was forked from. */
  readonly forkedAt: ModelBase | undefined;
  /** Whether there is nothing left to do. */
  hasEnded: boolean;
  /** The turns that it has had, those of its bases included; pruning forgets none. */
  turns: readonly ModelTurn[];
  isDeleted: boolean;
  /** The seq that pruning has left as its first; 0 for none. */
  floor: number;
  /** The last record that it had, when that was last looked at. */
  head: number;
  /** The last record that is there: deleting leaves what forks stand on. */
  last: number;
}

/** A turn: the value that it was given, and where it is in the journal. */
interface ModelTurn {
  readonly value: number;
  readonly seq: number;
}

/** Where a run was forked from. */
export interface ModelBase {
  readonly runId: string;
  readonly seq: number;
}

type NewRun = Pick<ModelRun, 'id' | 'history' | 'forkedAt' | 'hasEnded'> & Partial<Pick<ModelRun, 'turns'>>;

/** What became of a prune. */
export interface ModelPrune {
  readonly pruned: number;
  readonly retained: number;
}

/** The seq in an id. */
export function seqOf(id: string): number {
  return Number(id.slice(id.indexOf('@') + 1));
}

/** Runs, forks, pruning and deleting, as plainly as they can be said: every run has every state of its own. */
export class ReferenceRuns {
  readonly #runs: ModelRun[] = [];

  /** Those that can be asked for. */
  get living(): readonly ModelRun[] {
    return this.#runs.filter(({ isDeleted }) => !isDeleted);
  }

  add(run: NewRun): ModelRun {
    const added = { turns: [], ...run, isDeleted: false, floor: 0, head: 0, last: 0 };
    this.#runs.push(added);
    return added;
  }

  /** The run with this id, as far as there is something left of it. */
  find(id: string): ModelRun | undefined {
    return this.#runs.find((run) => run.id === id && (!run.isDeleted || this.#standing(run).length > 0));
  }

  /** Whatever it is now, the run with this id. */
  known(id: string): ModelRun | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  /** `head` is what it had; one that had not ended gets another record. */
  delete(run: ModelRun, head: number): void {
    run.isDeleted = true;
    run.head = run.hasEnded ? head : head + 1;
    run.last = Math.max(...this.#standing(run), 0);
  }

  /** Keeps the newest of the run's own checkpoints, the one that the lowest fork stands on, and what is above it. */
  prune(run: ModelRun, keep: number): ModelPrune {
    const own = run.history.filter(({ id }) => id.startsWith(`${run.id}@`)).toReversed();
    const lowest = Math.min(...this.#standing(run));
    const forked = own.findIndex(({ id }) => seqOf(id) <= lowest);
    const wanted = Math.max(keep, 1, forked + 1);
    const kept = own.slice(0, wanted);
    const pruned = own.length - kept.length;
    if (pruned > 0) {
      const floor = seqOf((kept.at(-1) as ModelCheckpoint).id);
      run.floor = floor;
      for (const other of this.#runs) if (this.#standsOn(other, run)) this.#cut(other, floor);
    }
    return { pruned, retained: kept.length };
  }

  /** Whoever reads through a run that was pruned sees no further than its floor. */
  #cut(run: ModelRun, floor: number): void {
    run.history = run.history.filter(({ id }) => seqOf(id) >= floor);
  }

  #standsOn(run: ModelRun, below: ModelRun): boolean {
    if (run === below) return true;
    const base = this.#runs.find(({ id }) => id === run.forkedAt?.runId);
    return base !== undefined && this.#standsOn(base, below);
  }

  /** The seqs of the run that forks stand on. A deleted fork counts as long as others stand on it. */
  #standing({ id }: ModelRun): readonly number[] {
    return this.#runs
      .filter((run) => run.forkedAt?.runId === id && (!run.isDeleted || this.#standing(run).length > 0))
      .map(({ forkedAt }) => forkedAt?.seq as number);
  }
}
