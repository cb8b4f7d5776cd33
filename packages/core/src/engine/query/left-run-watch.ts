import type { RunHeader } from '../../store/contract/run.ts';
import { printable } from '../../value/printable.ts';
import type { EngineParts } from '../parts.ts';

/** A living worker leases a due run within this time. */
const graceMs = 1_000;

/** The runs that an engine has warned about. */
const warned = new WeakMap<object, Set<string>>();

/** Watches a run that somebody waits for, and warns once if it is due and nobody executes it. */
export class LeftRunWatch {
  readonly #parts: EngineParts;
  /** What the run looked like, and since when it has not changed. */
  #seen: { readonly stamp: string; readonly since: number } | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async look({ runId, wakeAt, fence, head, worker: leasedBy }: RunHeader): Promise<void> {
    const { store, env, worker } = this.#parts;
    const now = env.clock.now();
    const stamp = `${fence}.${head}`;
    const isDue = wakeAt !== null && wakeAt <= now && worker.whenDone(runId) === undefined;
    if (!isDue || this.#seen?.stamp !== stamp) this.#seen = isDue ? { stamp, since: now } : undefined;
    else if (now - this.#seen.since >= graceMs) {
      const isExecuted = leasedBy !== null && (await store.claim({ type: 'alive', worker: leasedBy })).granted;
      if (isExecuted) this.#seen = { stamp, since: now + worker.leaseMs };
      else this.#warn(runId);
    }
  }

  #warn(runId: string): void {
    const told = warned.get(this.#parts) ?? new Set();
    if (told.has(runId)) return;
    warned.set(this.#parts, told.add(runId));
    this.#parts.env.warn(
      `Run "${printable(runId)}" is due and nobody executes it. Waiting does not start it: call recover() or work() on the engine, or resume() on the run.`,
    );
  }
}
