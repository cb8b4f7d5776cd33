import type { Env } from '../../../env/env.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import type { Admission } from '../admission.ts';
import { ParkedRuns } from './parked-runs.ts';
import { WakeTimers } from './wake-timers.ts';

interface WakeUpsOptions {
  readonly env: Env;
  readonly store: CheckedStore;
  readonly admission: Admission;
  /** Continues the run if it is due. Resolves with the time to try again, or null if that is not necessary. */
  readonly wake: (runId: string) => Promise<number | null>;
}

/** Wakes the runs that this process wakes: all that wait after they executed here, unless a work loop or other workers do. */
export class WakeUps {
  readonly #admission: Admission;
  readonly #timers: WakeTimers;
  readonly #parked: ParkedRuns;

  constructor({ env, store, admission, wake }: WakeUpsOptions) {
    this.#admission = admission;
    this.#timers = new WakeTimers(env, wake);
    this.#parked = new ParkedRuns({ env, store, onWakeAt: (run, wakeAt) => this.park(run, wakeAt) });
  }

  /** Wakes a run that waits when its time comes, or when another process writes to it. */
  park({ runId, head }: Pick<RunHeader, 'runId' | 'head'>, wakeAt: number | undefined): void {
    if (!this.#isOurs) return;
    this.#parked.add(runId, head);
    if (wakeAt !== undefined) this.#timers.set(runId, wakeAt);
  }

  /** Wakes the run now, and again later if the store fails. */
  now(runId: string): Promise<void> {
    return this.#timers.wake(runId);
  }

  /** Looks later whether the run is due: a write to it failed, and may have happened all the same. */
  later(runId: string): void {
    if (this.#isOurs) this.#timers.retry(runId);
  }

  /** Wakes the run again later, because the store failed; longer each time. */
  retry(runId: string, tries: number): void {
    if (this.#admission.isOpen) this.#timers.retry(runId, tries);
  }

  /** The run executes here. It parks again afterwards. */
  clear(runId: string): void {
    this.#timers.clear(runId);
    this.#parked.delete(runId);
  }

  /** Leaves all runs to a work loop, here or elsewhere. */
  clearAll(): void {
    this.#timers.clearAll();
    this.#parked.clear();
  }

  close(): void {
    this.#timers.close();
    this.#parked.close();
  }

  /** The run may have been written to, up to this head. Undefined: any run. */
  changed(runId: string | undefined, head: number): void {
    this.#parked.changed(runId, head);
  }

  get #isOurs(): boolean {
    return this.#admission.isOpen && !this.#admission.hasLoop;
  }
}
