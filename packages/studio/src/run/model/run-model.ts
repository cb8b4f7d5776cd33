import type { CheckpointJson, ForkTreeJson, GraphJson, RunDetailsJson, RunJson } from '@holdfast/server/client';
import { ClientError } from '@holdfast/server/client';
import { batch, type Signal, signal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { asked, isUnreachable, noteAnswer, noteLoss } from '../../api/live.ts';
import { atRest } from '../fold/at-rest.ts';
import type { Story } from '../fold/story.ts';
import { innerGraph } from '../graph/inner-graph.ts';
import type { Branch } from '../history/fork-tree.ts';
import { JournalReader } from './journal-reader.ts';

/** A run that a node of this one has started. */
export interface ChildRun {
  readonly node: string;
  readonly run: RunJson;
  readonly story: Story;
}

const checkpointPage = 200;
const branchPage = 50;
const mostBranches = 20;
const mostChildren = 8;
/** Events of the same moment are one look at the run. */
const gatherMs = 120;

/** Everything that the page of a run shows, kept up to date while it is open. */
export class RunModel {
  readonly runId: string;
  readonly run: Signal<RunDetailsJson | undefined> = signal(undefined);
  readonly graph: Signal<GraphJson | undefined> = signal(undefined);
  readonly story: Signal<Story | undefined> = signal(undefined);
  readonly branches: Signal<readonly Branch[]> = signal([]);
  readonly children: Signal<readonly ChildRun[]> = signal([]);
  /** When the run was last asked for: a lease is as it was then. */
  readonly lookedAt: Signal<number> = signal(0);
  readonly error: Signal<Error | undefined> = signal(undefined);
  /** The checkpoint before which older ones can be loaded. */
  readonly older: Signal<string | null> = signal(null);
  /** True if there are more forks than are shown. */
  readonly areForksCut: Signal<boolean> = signal(false);
  readonly #journal: JournalReader;
  readonly #childJournals = new Map<string, JournalReader>();
  readonly #abort = new AbortController();
  #own: readonly CheckpointJson[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #streaming = false;

  constructor(runId: string) {
    this.runId = runId;
    this.#journal = new JournalReader(runId);
  }

  get journal(): JournalReader {
    return this.#journal;
  }

  /** The run that all others of the tree were forked from. */
  get root(): string {
    return this.branches.value.find(({ run }) => run.forkedAt === null)?.run.id ?? this.runId;
  }

  /** Loads the run, and follows it. */
  async start(): Promise<void> {
    this.error.value = undefined;
    try {
      await this.look();
      void this.#follow();
    } catch (error) {
      this.#failed(error);
    }
  }

  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  /** Asks for everything that may have changed. A run that has not changed costs two requests, one that has ended one. */
  async look(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    const before = this.run.value;
    const askedAt = Date.now();
    const { tree, run } = await this.#asOfNow(before);
    this.lookedAt.value = askedAt;
    const hasMoved = before?.head !== run.head || before.status !== run.status;
    if (run.kind === 'graph' && this.graph.value === undefined) await this.#loadGraph(run);
    if (hasMoved) await this.#readJournal(run);
    const hasForks = await this.#loadTree(tree, hasMoved);
    if (hasMoved || hasForks || before === undefined || before.worker !== run.worker) this.run.value = run;
    else if (run !== before && JSON.stringify(before) !== JSON.stringify(run)) this.run.value = run;
    await this.#readChildren();
    if (!this.#streaming && !isOver(run)) void this.#follow();
  }

  /** The run and its tree. With the details of a run comes its output, which may be large: once it has ended, they stay as they are. */
  async #asOfNow(before: RunDetailsJson | undefined): Promise<{ tree: ForkTreeJson; run: RunDetailsJson }> {
    const { runId } = this;
    const { signal } = this.#abort;
    const asking = asked(client.tree(runId, { n: 0 }));
    if (before === undefined || !isOver(before)) {
      const [tree, run] = await Promise.all([asking, asked(client.run(runId, { signal }))]);
      return { tree, run };
    }
    const tree = await asking;
    const self = tree.runs.find(({ id }) => id === runId);
    const isSame = self?.head === before.head && self.status === before.status;
    return { tree, run: isSame ? before : await asked(client.run(runId, { signal })) };
  }

  /** The pulse of the page: a look that a lost connection does not turn into an error. */
  async beat(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Loads older checkpoints, if there are any. */
  async loadOlder(): Promise<void> {
    const before = this.older.value;
    if (before === null) return;
    this.older.value = null;
    const page = await asked(client.checkpoints(this.runId, { before, limit: checkpointPage }));
    this.#own = [...this.#own, ...page.checkpoints];
    this.older.value = page.next;
    this.#showBranches(this.branches.value.filter(({ run }) => run.id !== this.runId));
  }

  #failed(error: unknown): void {
    if (this.#abort.signal.aborted) return;
    const isFirst = this.run.value === undefined;
    if (isFirst || (!isUnreachable(error) && error instanceof ClientError && error.status === 404))
      this.error.value = error instanceof Error ? error : new Error(String(error));
  }

  async #loadGraph({ graph }: RunDetailsJson): Promise<void> {
    try {
      const graphs = await asked(client.graphs());
      this.graph.value = graphs.find(({ name }) => name === graph) ?? innerGraph(graphs, graph);
    } catch (error) {
      if (isUnreachable(error)) throw error;
    }
  }

  async #readJournal({ head, status }: RunDetailsJson): Promise<void> {
    await this.#journal.read(head);
    this.story.value = atRest(this.#journal.story(), status);
  }

  /** Resolves with whether the forks have changed. */
  async #loadTree(tree: ForkTreeJson, hasMoved: boolean): Promise<boolean> {
    const known = new Map(this.branches.value.map((branch) => [branch.run.id, branch]));
    const others = tree.runs.filter(({ id }) => id !== this.runId).slice(0, mostBranches);
    const self = tree.runs.find(({ id }) => id === this.runId);
    const changed = others.filter(
      ({ id, head, status }) => known.get(id)?.run.head !== head || known.get(id)?.run.status !== status,
    );
    if (!hasMoved && changed.length === 0 && known.size === others.length + 1) return false;
    await this.#loadOwn(hasMoved || this.#own.length === 0);
    const branches = await Promise.all(
      others.map(async (run): Promise<Branch> => {
        const before = known.get(run.id);
        if (before !== undefined && !changed.includes(run)) return before;
        const { checkpoints } = await asked(client.checkpoints(run.id, { limit: branchPage }));
        return { run, checkpoints: checkpoints.filter(({ runId }) => runId === run.id) };
      }),
    );
    this.areForksCut.value = tree.isCut || others.length < tree.runs.length - 1;
    this.#showBranches(branches, self);
    return true;
  }

  async #loadOwn(isStale: boolean): Promise<void> {
    if (!isStale) return;
    const page = await asked(client.checkpoints(this.runId, { limit: checkpointPage }));
    const isFirst = this.#own.length === 0;
    const oldest = page.checkpoints.at(-1);
    const at = oldest === undefined ? -1 : this.#own.findIndex(({ id }) => id === oldest.id);
    // So much may have happened since that there is a gap: then the older ones are loaded again.
    const kept = at === -1 ? [] : this.#own.slice(at + 1);
    this.#own = [...page.checkpoints, ...kept];
    if (isFirst || at === -1) this.older.value = page.next;
  }

  /** The checkpoints of the run and its ancestors, each with the run it is of. */
  #showBranches(others: readonly Branch[], self?: RunJson): void {
    const before = this.branches.value.find(({ run }) => run.id === this.runId);
    const run = self ?? before?.run ?? this.run.value;
    if (run === undefined) return;
    const own: Branch = { run, checkpoints: this.#own.filter(({ runId }) => runId === this.runId) };
    const inherited = this.#own.filter(({ runId }) => runId !== this.runId);
    const joined = others.map((branch): Branch => {
      const missing = inherited.filter(
        ({ runId, id }) => runId === branch.run.id && !branch.checkpoints.some((each) => each.id === id),
      );
      return missing.length === 0
        ? branch
        : {
            ...branch,
            checkpoints: [...branch.checkpoints, ...missing].toSorted((left, right) => right.seq - left.seq),
          };
    });
    batch(() => {
      this.branches.value = [own, ...joined];
    });
  }

  async #readChildren(): Promise<void> {
    const waits = (this.story.value?.waits ?? []).filter(
      ({ kind, childId }) => kind === 'child' && childId !== undefined,
    );
    const shown = waits.slice(-mostChildren);
    if (shown.length === 0) return;
    const before = this.children.value;
    const children = await Promise.all(
      shown.map(async ({ node, childId = '' }): Promise<ChildRun | undefined> => {
        const known = before.find(({ run }) => run.id === childId);
        if (known !== undefined && isOver(known.run)) return known;
        try {
          const run = await asked(client.run(childId));
          if (known !== undefined && known.run.head === run.head && known.run.status === run.status) return known;
          const journal = this.#childJournals.get(childId) ?? new JournalReader(childId);
          this.#childJournals.set(childId, journal);
          await journal.read(run.head);
          return { node, run, story: atRest(journal.story(), run.status) };
        } catch (error) {
          // A child that was deleted, or that is another tenant's, is left out.
          if (isUnreachable(error)) throw error;
          return undefined;
        }
      }),
    );
    const found = children.filter((child) => child !== undefined);
    if (found.length !== before.length || found.some((child, index) => child !== before[index]))
      this.children.value = found;
  }

  /** Follows the events: each one is a reason to look. The stream ends with the run; a turn or a resume begins another. */
  async #follow(): Promise<void> {
    const run = this.run.value;
    if (this.#streaming || run === undefined || run.kind === 'journal' || isOver(run)) return;
    this.#streaming = true;
    try {
      const events = client.events(this.runId, {
        after: String(run.head),
        signal: this.#abort.signal,
        onConnection: (state) => (state === 'live' ? noteAnswer() : noteLoss()),
      });
      for await (const event of events) if (event.seq > this.#journal.lastSeq || event.type === 'run-end') this.#soon();
      this.#soon();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#streaming = false;
    }
  }

  #soon(): void {
    if (this.#timer !== undefined || this.#abort.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.beat();
    }, gatherMs);
  }
}

/** Whether nothing happens to a run any more, unless someone gives it another turn. */
export function isOver({ status }: Pick<RunJson, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
