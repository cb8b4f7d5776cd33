import type { Batch } from '../../src/store/contract/commit.ts';
import { beginningMs } from './world.ts';

/** A run may be due and free for so long when nothing goes wrong; asking anyway takes 30 seconds. */
const patienceMs = 10_000;
/** Pauses, late commits and lost leases end so long after the last fault. */
const aftermathMs = 5_000;

/** Who claims a run. */
interface Claimer {
  readonly name: string;
  /** How far its clock is ahead. */
  readonly skewMs: number;
}

interface RunTimes {
  /** When it is due, by the store's time; undefined: it is not. */
  dueMs: number | undefined;
  /** Since when nobody has it. */
  freeMs: number;
  /** It was made due by a commit that nobody heard of: only asking anyway finds it. */
  isUnheard: boolean;
}

interface DueWatchOptions {
  readonly time: { readonly nowMs: number };
  /** When the faults are over. */
  readonly calmAtMs: number;
  readonly tell: (violation: string) => void;
}

/** Watches over runs that are due and free: somebody has to notice, and not only by asking anyway from time to time. */
export class DueWatch {
  readonly #options: DueWatchOptions;
  readonly #runs = new Map<string, RunTimes>();

  constructor(options: DueWatchOptions) {
    this.#options = options;
  }

  committed({ runId, header, release, create }: Batch, isLate: boolean): void {
    const { nowMs } = this.#options.time;
    const run = this.#runs.get(runId) ?? { dueMs: undefined, freeMs: nowMs, isUnheard: false };
    this.#runs.set(runId, run);
    const { wakeAt } = header;
    if (wakeAt !== undefined) run.dueMs = wakeAt === null ? undefined : wakeAt - beginningMs;
    if (release || create?.worker === null) run.freeMs = nowMs;
    run.isUnheard ||= isLate;
  }

  released(runId: string): void {
    const run = this.#runs.get(runId);
    if (run !== undefined) run.freeMs = this.#options.time.nowMs;
  }

  /** `freeMs`: when the lease of whoever had it before ended. */
  claimed({ name, skewMs }: Claimer, runId: string, freeMs: number): void {
    const { time, calmAtMs, tell } = this.#options;
    const run = this.#runs.get(runId);
    if (run?.dueMs === undefined) return;
    const since = Math.max(run.dueMs, run.freeMs, freeMs, calmAtMs + aftermathMs);
    const idleMs = time.nowMs - since;
    if (idleMs > patienceMs + Math.abs(skewMs) && !run.isUnheard) {
      tell(`${runId} was due and free for ${Math.round(idleMs)} ms until ${name} took it`);
    }
    run.isUnheard = false;
  }
}
