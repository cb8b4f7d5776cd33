import assert from 'node:assert/strict';
import type { NewEntry, RecordKind } from '../../record/record.ts';
import type { Commit } from '../../store/check/check-commit.ts';
import type { CommitOutcome } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { Bench } from '../bench.ts';
import { runIds } from './cast.ts';
import type { Dice } from './dice.ts';
import { Persistence } from './persistence.ts';
import { type ModelOutcome, ReferenceModel } from './reference-model.ts';
import type { Tally } from './tally.ts';

/** A lease that was given once; whether it still holds is another matter. */
export interface GivenLease {
  readonly runId: string;
  readonly worker: string;
  readonly fence: number;
}

interface SessionOptions {
  readonly bench: Bench;
  readonly tally: Tally;
  /** Whether calls are made to fail. */
  readonly faulty: boolean;
  readonly now: number;
}

/** One sequence of calls, made to the store and to the model alike. */
export class Session {
  readonly bench: Bench;
  readonly model: ReferenceModel = new ReferenceModel();
  readonly persistence: Persistence;
  readonly tally: Tally;
  readonly leases: GivenLease[] = [];
  /** What was done, for whoever reads of a failure. */
  readonly log: string[] = [];
  readonly #faulty: boolean;
  #entries = 0;
  #now: number;

  constructor({ bench, tally, faulty, now }: SessionOptions) {
    this.bench = bench;
    this.#now = now;
    this.#faulty = faulty;
    this.tally = tally;
    this.persistence = new Persistence(bench, faulty);
  }

  /** The store's own time. */
  get now(): number {
    return this.#now;
  }

  /** How many record ids were given out so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Whether calls are made to fail. */
  get faulty(): boolean {
    return this.#faulty;
  }

  /** A record like no other. */
  newEntry(kind: RecordKind, hasId: boolean): NewEntry {
    this.#entries += 1;
    // Also a node and a name: what the kinds of an owner's records need.
    const payload = { entry: this.#entries, node: 'one', name: 'n' };
    return { kind, at: 1_000 + this.#entries, payload, ...(hasId ? { id: `id-${this.#entries}` } : {}) };
  }

  /** A run that is there, mostly. */
  someRun(dice: Dice): string {
    const seen = this.model.runs.filter(({ header }) => !header.hidden);
    return dice.oneIn(12) || seen.length === 0 ? dice.pick(runIds) : dice.pick(seen).header.runId;
  }

  /** An id that no run has, mostly. */
  someNewRun(dice: Dice): string {
    const free = runIds.filter((runId) => this.model.find(runId) === undefined);
    return dice.oneIn(4) || free.length === 0 ? dice.pick(runIds) : dice.pick(free);
  }

  /** Lets time pass; gives the new time. */
  async advance(ms: number): Promise<number> {
    await this.bench.advance(ms);
    this.#now += ms;
    return this.#now;
  }

  note(done: string): void {
    this.log.push(done);
  }

  /** Makes a commit and compares the answers. */
  async commit(commit: Commit): Promise<void> {
    const at = this.bench.store.clock.now();
    const outcome = await this.persistence.commit(commit);
    const expected = this.model.commit(commit, at);
    this.#count(commit, expected);
    this.#compare(outcome, expected);
    if (!outcome.ok && !expected.ok) this.sameHeaders([outcome.found], [expected.found]);
  }

  /** Makes commits at once; some order of them must explain the answers: those that were taken, then the rest. */
  async race(commits: readonly Commit[]): Promise<void> {
    const at = this.bench.store.clock.now();
    const raced = await Promise.all(
      commits.map(async (commit) => ({ commit, outcome: await this.persistence.commit(commit) })),
    );
    const inOrder = [...raced.filter(({ outcome }) => outcome.ok), ...raced.filter(({ outcome }) => !outcome.ok)];
    for (const { commit, outcome } of inOrder) {
      const expected = this.model.commit(commit, at);
      this.#count(commit, expected);
      this.#compare(outcome, expected);
    }
  }

  /** Compares headers. Refusals come in any order; where calls fail, nobody knows how often an epoch was raised. */
  sameHeaders(found: readonly (RunHeader | undefined)[], expected: readonly (RunHeader | undefined)[]): void {
    const plain = (header: RunHeader | undefined): unknown =>
      header && {
        ...header,
        epoch: this.#faulty ? 'any' : header.epoch,
        refusals: header.refusals.toSorted((a, b) => (a.worker < b.worker ? -1 : 1)),
      };
    assert.deepEqual(found.map(plain), expected.map(plain));
  }

  #compare(outcome: CommitOutcome, expected: ModelOutcome): void {
    const answer = outcome.ok ? `ok, head ${outcome.head}` : `refused by ${outcome.why}`;
    this.note(`  → ${answer}`);
    assert.equal(answer, expected.ok ? `ok, head ${expected.head}` : `refused by ${expected.why}`);
  }

  #count({ runId, writer }: Commit, expected: ModelOutcome): void {
    this.tally.countCommit(expected.ok ? undefined : expected.why);
    if (!expected.ok || writer.by !== 'creator' || writer.of.worker === null) return;
    this.leases.push({ runId, worker: writer.of.worker, fence: 1 });
  }
}
