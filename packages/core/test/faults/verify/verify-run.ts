import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../../../src/record/record.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { Snapshot } from '../../../src/store/commit/encode.ts';
import type { SnapshotKey } from '../../../src/store/contract/commit.ts';
import type { RunHeader } from '../../../src/store/contract/run.ts';
import { bodyOf, fillOf, floorSnapshot, idOf, type Payload } from '../workload/content.ts';
import type { KnownRun, Ledger } from './ledger.ts';
import type { Violation, ViolationKind } from './violation.ts';

const page = 1_000;

/** Compares one run of a store with what was acknowledged of it, and with itself. */
export class RunVerifier {
  readonly violations: Violation[] = [];
  readonly #store: CheckedStore;
  readonly #header: RunHeader;
  readonly #known: KnownRun;
  readonly #undone: ReadonlySet<string>;
  /** The run's own records begin after this seq. */
  readonly #lowest: number;
  /** What was read now begins after this seq. */
  readonly #from: number;
  /** Tokens of the commits found, by their last seq. */
  readonly #commits = new Map<number, string>();
  /** The seqs of commits that came with a snapshot, and their tokens. */
  readonly #withSnapshot = new Map<number, string>();
  #last: { readonly seq: number; readonly payload: Payload } | undefined;

  constructor(store: CheckedStore, header: RunHeader, ledger: Ledger) {
    const known = ledger.run(header.runId);
    this.#store = store;
    this.#header = header;
    this.#undone = ledger.undone;
    this.#known = known;
    this.#lowest = Math.max(header.floor, header.forkedAt?.seq ?? 0);
    this.#from = Math.max(this.#lowest, known.checked?.head ?? 0);
  }

  async verify(): Promise<readonly Violation[]> {
    this.#verifyFloor();
    // The token of its last batch is in the header: an equal one means that nothing was written since.
    if (isDeepStrictEqual(this.#header, this.#known.checked)) {
      this.#verifyAcknowledged();
      return this.violations;
    }
    await this.#verifyRecords();
    this.#verifyEnd();
    this.#verifyAcknowledged();
    await this.#verifySnapshots();
    if (this.violations.length === 0) {
      this.#known.checked = this.#header;
    }
    return this.violations;
  }

  #wrong(kind: ViolationKind, what: string): void {
    this.violations.push({ kind, what: `run ${this.#header.runId}: ${what}` });
  }

  #verifyFloor(): void {
    const { floor } = this.#header;
    if (floor < this.#known.floor)
      this.#wrong('lost', `the floor is ${floor}, a trim to ${this.#known.floor} was acknowledged`);
    if (!this.#known.floors.has(floor)) this.#wrong('altered', `the floor is ${floor}, which nobody asked for`);
  }

  async #verifyRecords(): Promise<void> {
    const { runId, head } = this.#header;
    let after = this.#from;
    for (;;) {
      const entries = await this.#store.records({ runId, after, order: 'oldest', limit: page });
      for (const entry of entries) {
        if (entry.seq !== after + 1) this.#wrong('partial', `record ${after + 1} is missing`);
        this.#verifyEntry(entry);
        after = entry.seq;
      }
      if (entries.length < page) break;
    }
    if (after !== Math.max(head, this.#from))
      this.#wrong('partial', `the header says head ${head}, the last record is ${after}`);
    const before = this.#known.checked?.head ?? 0;
    if (head < before) this.#wrong('lost', `the head went back from ${before} to ${head}`);
  }

  #verifyEntry({ seq, id, payload: unknownPayload }: Entry): void {
    const payload = unknownPayload as Payload;
    const { token, at, of, snapshot, fill, creates } = payload;
    if (fill !== fillOf(token, at) || (at === 0 && id !== idOf(token)))
      this.#wrong('altered', `record ${seq} is not what was written`);
    if (this.#undone.has(token))
      this.#wrong('promise', `commit ${token} is there, and the store said that it had no effect`);
    const before = this.#last?.payload;
    const goesOn = before !== undefined && before.token === token && before.at + 1 === at;
    const begins = at === 0 && (before === undefined || before.at + 1 === before.of);
    const cut = before === undefined && seq === this.#header.floor + 1;
    if (!goesOn && !begins && !cut)
      this.#wrong('partial', `record ${seq} is part ${at} of ${of} of commit ${token}, without the part before it`);
    if (creates !== null && !isDeepStrictEqual(creates.forkedAt, this.#header.forkedAt))
      this.#wrong('altered', `its base is not what it was created with`);
    if (at + 1 === of) {
      this.#commits.set(seq, token);
      if (snapshot) this.#withSnapshot.set(seq, token);
    }
    this.#last = { seq, payload };
  }

  /** The last commit is whole, and the header is the one that came with it. */
  #verifyEnd(): void {
    const payload = this.#last?.payload;
    const named = this.#header.tags['token'];
    if (payload === undefined) {
      // Nothing was written since, or all of it was trimmed away.
      const checked = this.#known.checked;
      const before = checked?.tags['token'];
      if (checked?.head === this.#header.head && before !== named)
        this.#wrong('partial', `the header is of commit ${named}, the last record of ${before}`);
      return;
    }
    if (payload.at + 1 !== payload.of)
      this.#wrong('partial', `commit ${payload.token} ends after ${payload.at + 1} of ${payload.of} records`);
    if (payload.token !== named)
      this.#wrong('partial', `the header is of commit ${named}, the last record of ${payload.token}`);
  }

  #verifyAcknowledged(): void {
    for (const [seq, token] of this.#known.commits) {
      if (seq <= this.#from) continue;
      const found = this.#commits.get(seq);
      if (found !== token)
        this.#wrong('lost', `commit ${token} up to ${seq} was acknowledged; there is ${found ?? 'nothing'}`);
    }
  }

  async #verifySnapshots(): Promise<void> {
    const { runId, floor } = this.#header;
    const missing = new Map(this.#withSnapshot);
    let before: SnapshotKey | undefined;
    for (;;) {
      const found = await this.#store.snapshots({ runId, before, limit: 50, bodies: true });
      for (const snapshot of found) {
        if (snapshot.covers <= this.#from && snapshot.covers !== floor) break;
        this.#verifySnapshot(snapshot, missing);
        missing.delete(snapshot.seq);
      }
      before = found.at(-1);
      if (found.length < 50 || (before?.covers ?? 0) <= this.#from) break;
    }
    for (const [seq, token] of missing)
      this.#wrong('partial', `commit ${token} up to ${seq} is there without its snapshot`);
    const [atFloor] = floor === 0 ? [] : await this.#store.snapshots({ runId, covers: floor, limit: 1, bodies: true });
    if (floor > 0 && atFloor?.covers !== floor) this.#wrong('lost', `there is no snapshot at its floor ${floor}`);
  }

  #verifySnapshot(snapshot: Snapshot, expected: ReadonlyMap<number, string>): void {
    const { covers, seq } = snapshot;
    if (!snapshot.ok) return this.#wrong('altered', `the snapshot at ${seq} is corrupt: ${snapshot.error.message}`);
    const token = expected.get(seq);
    const isOfFloor = isDeepStrictEqual(snapshot.body, floorSnapshot(covers).body);
    if (isOfFloor && this.#known.floors.has(covers)) return;
    if (token === undefined && covers === this.#header.floor) return;
    if (token === undefined) return this.#wrong('partial', `the snapshot at ${seq} is there without its commit`);
    const isItsOwn = isDeepStrictEqual(snapshot.body, bodyOf(token)) && isDeepStrictEqual(snapshot.head, { token });
    if (!isItsOwn || covers !== seq) this.#wrong('altered', `the snapshot at ${seq} is not the one of commit ${token}`);
  }
}
