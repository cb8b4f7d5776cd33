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

/** Watches a run that a caller waits for, with its child runs, and warns once if one is due and no worker executes it. */
export class LeftRunWatch {
  readonly #parts: EngineParts;
  /** Each run as last seen, since when it has not changed, and since when no live worker leases it. */
  readonly #seen = new Map<string, Seen>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async look(header: RunHeader): Promise<void> {
    const { env, worker, store, registry } = this.#parts;
    const { runId, wakeAt, waits } = header;
    if (wakeAt !== null && wakeAt <= env.clock.now() && worker.whenDone(runId) === undefined) {
      // A work loop here executes it once it has room.
      return worker.admission.hasLoop && registry.has(header) ? undefined : this.#lookAtDue(header);
    }
    this.#seen.delete(runId);
    for (const { kind, id } of waits) {
      const child = kind === 'child' ? await store.header(id) : undefined;
      if (child !== undefined) await this.look(child);
    }
  }

  async #lookAtDue({ runId, graph, fence, head, worker: leasedBy }: RunHeader): Promise<void> {
    const { store, env, leaseMs } = this.#parts;
    if (isWarned(this.#parts, runId)) return;
    const now = env.clock.now();
    const stamp = `${fence}.${head}`;
    const seen = this.#seen.get(runId);
    if (seen?.stamp !== stamp) {
      this.#seen.set(runId, { stamp, since: now, freeSince: leasedBy === null ? now : undefined });
      return;
    }
    if (now - seen.since < graceMs) return;
    const isExecuted = leasedBy !== null && (await store.claim({ type: 'alive', worker: leasedBy })).granted;
    const { freeSince = now } = seen;
    if (isExecuted) this.#seen.set(runId, { stamp, since: now + leaseMs, freeSince: undefined });
    else if (now - freeSince < graceMs) this.#seen.set(runId, { ...seen, freeSince });
    else this.#warn(runId, graph);
  }

  #warn(runId: string, graph: string): void {
    const { env, registry, executes } = this.#parts;
    warned.set(this.#parts, (warned.get(this.#parts) ?? new Set()).add(runId));
    const run = `Run "${printable(runId)}" is due and nobody executes it.`;
    if (!executes) {
      return env.warn(
        `${run} Start a worker that has its graph "${printable(graph)}", or give your workers more room: work({ concurrency }).`,
      );
    }
    env.warn(
      registry.has({ graph })
        ? `${run} Waiting does not start it: call recover() or work() on the engine, or resume() on the run.`
        : `${run} This engine does not have its graph "${printable(graph)}": pass it to openEngine({ graphs }), or start a worker that has it.`,
    );
  }
}
