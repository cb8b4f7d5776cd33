import { WakeTimers } from '../../lease/timer/wake-timers.ts';
import type { EngineParts } from '../../parts.ts';
import { hasEnded } from '../../query/run-summary.ts';
import { type ChildWake, wakeParent } from './wake-parent.ts';

/**
 * Tells parents that their children have ended. If the store fails, it tells them again later: in an engine without a work
 * loop nothing else would.
 */
export class ParentWaker {
  readonly #parts: EngineParts;
  /** By child, the parents that are still to be told. */
  readonly #pending = new Map<string, ChildWake>();
  #timers: WakeTimers | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async wake(wake: ChildWake): Promise<void> {
    try {
      await this.#tell(wake);
    } catch {
      this.wakeIfEnded(wake);
    }
  }

  /** Looks again later whether the child has ended: the commit that would have said so is in doubt. */
  wakeIfEnded(wake: ChildWake): void {
    this.#pending.set(wake.child, wake);
    this.#timers ??= new WakeTimers(this.#parts.env, (child) => this.#look(child));
    this.#timers.retry(wake.child);
  }

  close(): void {
    this.#timers?.close();
  }

  async #look(child: string): Promise<null> {
    const wake = this.#pending.get(child);
    const header = await this.#parts.store.header(child);
    // One that has not ended tells its parent itself when it does.
    if (wake !== undefined && (header === undefined || hasEnded(header))) await this.#tell(wake);
    this.#pending.delete(child);
    return null;
  }

  async #tell(wake: ChildWake): Promise<void> {
    const { executes, worker } = this.#parts;
    const parent = await wakeParent(this.#parts, wake);
    // There may be no worker that would find the parent: it continues where its child ran.
    if (executes && parent !== undefined) await worker.continueRun(parent);
  }
}
