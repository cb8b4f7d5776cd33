import type { RunHeader } from '../../store/contract/run.ts';
import { printable } from '../../value/printable.ts';
import type { EngineParts } from '../parts.ts';

/** A live worker leases a due run within this time. */
const graceMs = 2_000;

/** The runs that an engine has warned about. */
const warned = new WeakMap<object, Set<string>>();

function isWarned(parts: EngineParts, runId: string): boolean {
  return warned.get(parts)?.has(runId) === true;
}

interface Seen {
  readonly stamp: string;
  readonly since: number;
  readonly freeSince: number | undefined;
}

/** Watches a run that a caller waits for, and warns once if it is due and no worker executes it. */
export class LeftRunWatch {
  readonly #parts: EngineParts;
  /** The run as last seen, since when it has not changed, and since when no live worker leases it. */
  #seen: Seen | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async look({ runId, wakeAt, fence, head, worker: leasedBy }: RunHeader): Promise<void> {
    const { store, env, worker, leaseMs } = this.#parts;
    const now = env.clock.now();
    const isDue = wakeAt !== null && wakeAt <= now && worker.whenDone(runId) === undefined;
    if (!isDue) this.#seen = undefined;
    if (!isDue || isWarned(this.#parts, runId)) return;
    const stamp = `${fence}.${head}`;
    if (this.#seen?.stamp !== stamp) {
      this.#seen = { stamp, since: now, freeSince: leasedBy === null ? now : undefined };
      return;
    }
    if (now - this.#seen.since < graceMs) return;
    const isExecuted = leasedBy !== null && (await store.claim({ type: 'alive', worker: leasedBy })).granted;
    const { freeSince = now } = this.#seen;
    if (isExecuted) this.#seen = { stamp, since: now + leaseMs, freeSince: undefined };
    else if (now - freeSince < graceMs) this.#seen = { ...this.#seen, freeSince };
    else this.#warn(runId);
  }

  #warn(runId: string): void {
    warned.set(this.#parts, (warned.get(this.#parts) ?? new Set()).add(runId));
    this.#parts.env.warn(
      `Run "${printable(runId)}" is due and nobody executes it. Waiting does not start it: call recover() or work() on the engine, or resume() on the run.`,
    );
  }
}
