import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { deleteEndedRun } from '../command/delete-graph-run.ts';
import type { EngineParts } from '../parts.ts';
import type { RetentionSweep } from '../retention/retention-sweep.ts';
import { wakeForgottenParents } from './forgotten-parents.ts';

/** How often one of all workers sweeps. */
const sweepMs = 30_000;

/** Background work: finds parents that were not told about their child's end, and deletes old runs and checkpoints. */
export class Sweep {
  readonly #parts: EngineParts;
  #retention: RetentionSweep | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #sweeping: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Sweeps in the background if a sweep is due and no other worker did it. */
  begin(): void {
    const { env } = this.#parts;
    if (this.#sweeping !== undefined || env.monotonicMs() - this.#askedMs < sweepMs) return;
    this.#askedMs = env.monotonicMs();
    this.#sweeping = this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
  }

  /** Resolves when no sweep is in flight. */
  async ended(): Promise<void> {
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { env, leases } = this.#parts;
    try {
      if (!(await leases.isOnDuty('sweep', sweepMs))) return;
      await wakeForgottenParents(this.#parts);
      await this.#prune();
    } catch (error) {
      // The engine was closed meanwhile.
      if (HoldfastError.is(error, 'HOLDFAST_STORE_CLOSED')) return;
      env.warn(`The retention sweep failed: ${String(error)}`);
    }
  }

  async #prune(): Promise<void> {
    const { retention } = this.#parts;
    if (retention === undefined) return;
    if (this.#retention === undefined) {
      const { RetentionSweep } = await import('../retention/retention-sweep.ts');
      const { store, env, writer } = this.#parts;
      const deleteEnded = (header: RunHeader): Promise<void> => deleteEndedRun(this.#parts, header, 'retention');
      this.#retention = new RetentionSweep({ store, env, writer, retention, deleteEnded }, retention);
    }
    await this.#retention.sweep();
  }
}
