import type { RunHeader } from '../../../src/store/contract/run.ts';
import type { AnyLine } from '../workload/line.ts';
import type { Span } from '../workload/span.ts';
import type { Violation } from './violation.ts';

/** What is known of one run from acknowledgements alone. */
export interface KnownRun {
  /** The tokens of acknowledged commits by their last seq. */
  readonly commits: Map<number, string>;
  /** The highest floor that was acknowledged, and all that were ever asked for. */
  floor: number;
  readonly floors: Set<number>;
  /** Whether its removal was asked for, and acknowledged. */
  removal: 'none' | 'started' | 'done';
  /** As an earlier look has found it, whole up to its head. */
  checked: RunHeader | undefined;
}

/** Everything that writers were told, over all their lives on one place. */
export class Ledger {
  readonly runs: Map<string, KnownRun> = new Map();
  /** Tokens of commits that a store said had no effect. */
  readonly undone: Set<string> = new Set();
  acknowledged = 0;

  /**
   * Takes in what one writer said; gives what it saw go wrong itself. What was in flight while the disk failed is in
   * doubt even when it was acknowledged: the system may say that a sync was done which its own failure has undone.
   */
  add(lines: readonly AnyLine[], failure?: Span): readonly Violation[] {
    const violations: Violation[] = [];
    for (const line of lines) {
      if (line.type === 'wrong') violations.push({ kind: 'promise', what: line.what });
      else if (failure === undefined || !('to' in line) || line.to < failure.from) this.#addOne(line);
      else if (line.from > failure.to) {
        violations.push({ kind: 'promise', what: `${JSON.stringify(line)} was acknowledged on a failed disk` });
      }
    }
    return violations;
  }

  /** The run, known from now on. */
  run(name: string): KnownRun {
    let run = this.runs.get(name);
    if (run === undefined) {
      run = {
        commits: new Map(),
        floor: 0,
        floors: new Set([0]),
        removal: 'none',
        checked: undefined,
      };
      this.runs.set(name, run);
    }
    return run;
  }

  /** Forgets what was checked, so that the next look reads everything again. */
  recheckAll(): void {
    for (const run of this.runs.values()) run.checked = undefined;
  }

  #addOne(line: AnyLine): void {
    switch (line.type) {
      case 'commit':
        this.acknowledged += 1;
        this.run(line.runId).commits.set(line.expect + line.count, line.token);
        return;
      case 'trim-start':
        this.run(line.runId).floors.add(line.floor);
        return;
      case 'trim':
        this.acknowledged += 1;
        this.run(line.runId).floor = line.floor;
        return;
      case 'remove-start':
        this.run(line.runId).removal = 'started';
        return;
      case 'remove':
        this.acknowledged += 1;
        this.run(line.runId).removal = 'done';
        return;
      case 'fault':
        if (line.code === 'HOLDFAST_STORE_FAILED' && line.effect === 'none') this.undone.add(line.during);
        return;
      case 'ready':
      case 'open':
      case 'trusted':
      case 'read':
      case 'closing':
      case 'group-start':
      case 'group-end':
      case 'wrong':
      case 'done':
      case 'beat':
      case 'claim':
      case 'release':
      case 'owned':
      case 'stale':
    }
  }
}
