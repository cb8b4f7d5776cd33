import assert from 'node:assert/strict';
import type { Refusal } from '../../store/contract/commit.ts';
import type { FaultKind } from '../fault/fault-plan.ts';

/** Counts what the sequences did, so that a harness that tries nothing cannot pass. */
export class Tally {
  readonly #lengths: number[] = [];
  #commits = 0;
  #conflicts = 0;
  #fenced = 0;
  readonly #faults = new Map<FaultKind, number>();

  countSequence(length: number): void {
    this.#lengths.push(length);
  }

  countCommit(why: Refusal | undefined): void {
    this.#commits += 1;
    if (why === 'head' || why === 'exists') this.#conflicts += 1;
    if (why === 'fence') this.#fenced += 1;
  }

  countFault(kind: FaultKind): void {
    this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
  }

  /** What was counted, in words. */
  toString(): string {
    const share = (count: number): string => `${((100 * count) / this.#commits).toFixed(1)}%`;
    return `${this.#lengths.length} sequences of median length ${this.#medianLength()}, ${this.#commits} commits, ${share(this.#conflicts)} conflicting, ${share(this.#fenced)} after a lost lease`;
  }

  /** Sees that enough was tried: long sequences, conflicts and lost leases. */
  assertEnough(): void {
    assert.ok(this.shortcoming === undefined, `${this.shortcoming}: ${this.toString()}`);
  }

  /** Sees that calls did fail, and that commits came late, where they were made to. */
  assertFaults(): void {
    assert.ok(this.#faults.size > 0, `No call has failed: ${this.toString()}`);
    const late = (this.#faults.get('late-commit') ?? 0) + (this.#faults.get('transient-late-commit') ?? 0);
    assert.ok(late > 0, `No commit came late: ${this.toString()}`);
  }

  /** What was tried too little. */
  get shortcoming(): string | undefined {
    if (this.#medianLength() < 20) return 'The sequences are too short';
    if (this.#conflicts < 0.05 * this.#commits) return 'Too few commits are in conflict';
    if (this.#fenced < 0.05 * this.#commits) return 'Too few commits come after a lost lease';
    return undefined;
  }

  #medianLength(): number {
    return this.#lengths.toSorted((a, b) => a - b)[Math.floor(this.#lengths.length / 2)] ?? 0;
  }
}
