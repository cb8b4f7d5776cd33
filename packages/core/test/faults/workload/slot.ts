import type { Writer } from '../../../src/store/check/check-commit.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { ForkPoint, RunHeader } from '../../../src/store/contract/run.ts';
import { type CommitContent, entriesOf, floorSnapshot, hash, snapshotOf } from './content.ts';
import { say, sharedMs } from './line.ts';

/** How a run of the workload is written to. */
export type WriterKind = 'journal' | 'external' | 'own';

interface SlotOptions {
  readonly store: () => CheckedStore;
  /** Names this life of the writer; no two have the same. */
  readonly session: string;
  readonly newToken: () => string;
  readonly random: () => number;
}

/** One line of work on one run at a time: the next commit begins when the one before is answered. */
export class Slot {
  readonly #options: SlotOptions;
  #runId = '';
  #kind: WriterKind = 'journal';
  #owned = false;
  #head = 0;
  #floor = 0;
  #forkedAt: ForkPoint | null = null;
  #lastSnapshot = 0;
  #token = '';

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** The run that it works on; empty for none. */
  get runId(): string {
    return this.#runId;
  }

  /** The token of the commit that it asked for last; empty when that was no commit. */
  get tokenInFlight(): string {
    return this.#token;
  }

  /** Continues with a run that an earlier life of the writer has left. */
  catchUp(header: RunHeader): void {
    this.#runId = header.runId;
    this.#kind = header.kind === 'journal' ? 'journal' : 'external';
    this.#owned = false;
    this.#head = header.head;
    this.#floor = header.floor;
    this.#forkedAt = header.forkedAt;
    this.#lastSnapshot = 0;
  }

  /** Leaves its run as it is: nobody knows what became of it. */
  forget(): void {
    this.#runId = '';
  }

  /** Does one thing and says what came of it. */
  async act(): Promise<void> {
    const { random } = this.#options;
    if (this.#runId === '') return this.create(null);
    const dice = random();
    if (dice < 0.02) return this.create(null);
    if (dice < 0.05 && this.#canFork()) return this.create({ runId: this.#runId, seq: this.#head });
    if (dice < 0.09 && this.#head > this.#lowest() + 4) return this.trim();
    if (dice < 0.095) return this.remove();
    return this.append();
  }

  async create(forkedAt: ForkPoint | null): Promise<void> {
    const { newToken, random, session } = this.#options;
    const token = newToken();
    const kind = forkedAt === null ? (['journal', 'external', 'own'] as const)[Math.floor(random() * 3)]! : this.#kind;
    const isJournal = kind === 'journal';
    const owned = kind === 'own';
    const of = {
      kind: isJournal ? ('journal' as const) : ('graph' as const),
      graph: `graph-${kind}`,
      version: 1,
      forkedAt,
      parentId: null,
      createdAt: hash(token),
      worker: owned ? `worker-${session}` : null,
    };
    const content = {
      token,
      count: 1 + Math.floor(random() * 3),
      snapshot: isJournal || random() < 0.3,
      creates: { forkedAt },
    };
    this.#runId = `${kind}-${token}`;
    this.#kind = kind;
    this.#owned = owned;
    this.#head = forkedAt?.seq ?? 0;
    this.#floor = 0;
    this.#forkedAt = forkedAt;
    await this.#commit(content, { by: 'creator', of });
  }

  /** An external writer, who does not know the run's state, writes no snapshot of it. */
  async append({ snapshot = this.#options.random() < 0.25 }: { readonly snapshot?: boolean } = {}): Promise<void> {
    const { newToken, random } = this.#options;
    const isExternal = !this.#owned && this.#kind !== 'journal';
    const content = {
      token: newToken(),
      count: 1 + Math.floor(random() ** 2 * 5),
      snapshot: snapshot && !isExternal,
      creates: null,
    };
    const owner: Writer = { by: 'owner', fence: 1 };
    await this.#commit(content, this.#owned ? owner : { by: this.#kind === 'journal' ? 'journal' : 'external' });
  }

  /** Trims to a random place above the floor: often in the middle of a commit. */
  async trim(): Promise<void> {
    const { store, random } = this.#options;
    const runId = this.#runId;
    this.#token = '';
    const lowest = this.#lowest();
    const floor = lowest + 1 + Math.floor(random() * (this.#head - lowest));
    say({ type: 'trim-start', runId, floor });
    const from = sharedMs();
    const result = await store().trim({ runId, floor, snapshot: floorSnapshot(floor) });
    if (result.ok) {
      this.#floor = floor;
      say({ type: 'trim', runId, floor, from, to: sharedMs() });
    } else if (result.why !== 'forks') say({ type: 'wrong', what: `trim of ${runId} to ${floor}: ${result.why}` });
  }

  async remove(): Promise<void> {
    const runId = this.#runId;
    this.#token = '';
    say({ type: 'remove-start', runId });
    const from = sharedMs();
    const result = await this.#options.store().trim({ runId, remove: true });
    if (result.ok) {
      say({ type: 'remove', runId, from, to: sharedMs() });
      this.#runId = '';
    } else if (result.why !== 'forks') say({ type: 'wrong', what: `removal of ${runId}: ${result.why}` });
  }

  async #commit(content: CommitContent, writer: Writer): Promise<void> {
    const { token, count, snapshot } = content;
    this.#token = token;
    const runId = this.#runId;
    const expect = this.#head;
    const head = expect + count;
    const state = { status: 'running', tags: { token } } as const;
    const whole = { ...state, superstep: hash(token) % 1_000, frontier: [], waits: [], wakeAt: null };
    const from = sharedMs();
    const outcome = await this.#options.store().commit({
      runId,
      writer,
      expect,
      entries: entriesOf(content),
      header: writer.by === 'creator' ? whole : state,
      snapshot: snapshot ? snapshotOf(token, head) : undefined,
    });
    if (!outcome.ok) {
      say({ type: 'wrong', what: `commit ${token} to ${runId} after ${expect} was refused: ${outcome.why}` });
      this.#runId = '';
      return;
    }
    say({ type: 'commit', runId, token, expect, count, from, to: sharedMs() });
    this.#head = head;
    if (snapshot) this.#lastSnapshot = head;
  }

  /** A fork of a journal run stands on a snapshot; any fork on a record that is the run's own. */
  #canFork(): boolean {
    return this.#head > this.#lowest() && (this.#kind !== 'journal' || this.#lastSnapshot === this.#head);
  }

  /** The seq below the run's first kept record. */
  #lowest(): number {
    return Math.max(this.#floor, this.#forkedAt?.seq ?? 0);
  }
}
