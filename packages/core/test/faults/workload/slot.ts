import type { Writer } from '../../../src/store/check/check-commit.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { Base, RunHeader } from '../../../src/store/contract.ts';
import { type CommitContent, entriesOf, floorSnapshot, hash, snapshotOf } from './content.ts';
import { say, sharedMs } from './line.ts';

/** How a run of the workload is written to. */
export type RunKind = 'loop' | 'guest' | 'own';

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
  #run = '';
  #kind: RunKind = 'loop';
  #owned = false;
  #head = 0;
  #floor = 0;
  #base: Base | null = null;
  #lastSnapshot = 0;
  #token = '';

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** The run that it works on; empty for none. */
  get run(): string {
    return this.#run;
  }

  /** The token of the commit that it asked for last; empty when that was no commit. */
  get tokenUnderWay(): string {
    return this.#token;
  }

  /** Goes on with a run that an earlier life of the writer has left. */
  adopt(header: RunHeader): void {
    this.#run = header.run;
    this.#kind = header.loop ? 'loop' : 'guest';
    this.#owned = false;
    this.#head = header.head;
    this.#floor = header.floor;
    this.#base = header.base;
    this.#lastSnapshot = 0;
  }

  /** Leaves its run as it is: nobody knows what became of it. */
  forget(): void {
    this.#run = '';
  }

  /** Does one thing and says what came of it. */
  async act(): Promise<void> {
    const { random } = this.#options;
    if (this.#run === '') return this.create(null);
    const dice = random();
    if (dice < 0.02) return this.create(null);
    if (dice < 0.05 && this.#canFork()) return this.create({ run: this.#run, seq: this.#head });
    if (dice < 0.09 && this.#head > this.#lowest() + 4) return this.trim();
    if (dice < 0.095) return this.remove();
    return this.append();
  }

  async create(base: Base | null): Promise<void> {
    const { newToken, random, session } = this.#options;
    const token = newToken();
    const kind = base === null ? (['loop', 'guest', 'own'] as const)[Math.floor(random() * 3)]! : this.#kind;
    const loop = kind === 'loop';
    const owned = kind === 'own';
    const of = {
      loop,
      graph: `graph-${kind}`,
      version: 1,
      base,
      parent: null,
      createdAt: hash(token),
      worker: owned ? `worker-${session}` : null,
    };
    const content = { token, count: 1 + Math.floor(random() * 3), snapshot: loop || random() < 0.3, creates: { base } };
    this.#run = `${kind}-${token}`;
    this.#kind = kind;
    this.#owned = owned;
    this.#head = base?.seq ?? 0;
    this.#floor = 0;
    this.#base = base;
    await this.#commit(content, { by: 'creator', of });
  }

  /** A guest, who does not know the run's state, writes no snapshot of it. */
  async append({ snapshot = this.#options.random() < 0.25 }: { readonly snapshot?: boolean } = {}): Promise<void> {
    const { newToken, random } = this.#options;
    const isGuest = !this.#owned && this.#kind !== 'loop';
    const content = {
      token: newToken(),
      count: 1 + Math.floor(random() ** 2 * 5),
      snapshot: snapshot && !isGuest,
      creates: null,
    };
    const owner: Writer = { by: 'owner', fence: 1 };
    await this.#commit(content, this.#owned ? owner : { by: this.#kind === 'loop' ? 'loop' : 'guest' });
  }

  /** Trims to a random place above the floor: often in the middle of a commit. */
  async trim(): Promise<void> {
    const { store, random } = this.#options;
    const run = this.#run;
    this.#token = '';
    const lowest = this.#lowest();
    const floor = lowest + 1 + Math.floor(random() * (this.#head - lowest));
    say({ type: 'trim-start', run, floor });
    const from = sharedMs();
    const result = await store().trim({ run, floor, snapshot: floorSnapshot(floor) });
    if (result.ok) {
      this.#floor = floor;
      say({ type: 'trim', run, floor, from, to: sharedMs() });
    } else if (result.why !== 'forks') say({ type: 'wrong', what: `trim of ${run} to ${floor}: ${result.why}` });
  }

  async remove(): Promise<void> {
    const run = this.#run;
    this.#token = '';
    say({ type: 'remove-start', run });
    const from = sharedMs();
    const result = await this.#options.store().trim({ run, remove: true });
    if (result.ok) {
      say({ type: 'remove', run, from, to: sharedMs() });
      this.#run = '';
    } else if (result.why !== 'forks') say({ type: 'wrong', what: `removal of ${run}: ${result.why}` });
  }

  async #commit(content: CommitContent, writer: Writer): Promise<void> {
    const { token, count, snapshot } = content;
    this.#token = token;
    const run = this.#run;
    const expect = this.#head;
    const head = expect + count;
    const state = { status: 'running', tags: { token } } as const;
    const whole = { ...state, step: hash(token) % 1_000, frontier: [], waits: [], wakeAt: null };
    const from = sharedMs();
    const outcome = await this.#options.store().commit({
      run,
      writer,
      expect,
      entries: entriesOf(content),
      header: writer.by === 'creator' ? whole : state,
      snapshot: snapshot ? snapshotOf(token, head) : undefined,
    });
    if (!outcome.ok) {
      say({ type: 'wrong', what: `commit ${token} to ${run} after ${expect} was refused: ${outcome.why}` });
      this.#run = '';
      return;
    }
    say({ type: 'commit', run, token, expect, count, from, to: sharedMs() });
    this.#head = head;
    if (snapshot) this.#lastSnapshot = head;
  }

  /** A fork of an own loop stands on a snapshot; any fork on a record that is the run's own. */
  #canFork(): boolean {
    return this.#head > this.#lowest() && (this.#kind !== 'loop' || this.#lastSnapshot === this.#head);
  }

  /** The seq below the run's first kept record. */
  #lowest(): number {
    return Math.max(this.#floor, this.#base?.seq ?? 0);
  }
}
