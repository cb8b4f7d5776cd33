import type { RunHeader } from '../../../store/contract/run.ts';
import { WakeTimers } from '../../lease/timer/wake-timers.ts';
import type { EngineParts } from '../../parts.ts';
import { hasEnded } from '../../query/run-summary.ts';
import { type ChildWake, wakeParent } from './wake-parent.ts';

/** Looks this often whether a commit in doubt has ended a child, until the child is leased again. */
const lookAgainMs = 1_000;

interface Pending {
  readonly wake: ChildWake;
  /** The child's lease whose commit failed. */
  readonly fence: number | undefined;
}

/**
 * Tells parents that their children have ended. If the store fails, it tells them again later: in an engine without a work
 * loop nothing else would.
 */
export class ParentWaker {
  readonly #parts: EngineParts;
  /** By child, the parents that are still to be told. */
  readonly #pending = new Map<string, Pending>();
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
  wakeIfEnded(wake: ChildWake, fence?: number): void {
    this.#pending.set(wake.child, { wake, fence });
    this.#timers ??= new WakeTimers(this.#parts.env, (child) => this.#look(child));
    this.#timers.retry(wake.child);
  }

  close(): void {
    this.#timers?.close();
  }

  /** Resolves with the time to look again, or null. */
  async #look(child: string): Promise<number | null> {
    const { store, env } = this.#parts;
    const pending = this.#pending.get(child);
    if (pending === undefined) return null;
    const header = await store.header(child);
    const now = env.clock.now();
    if (header === undefined || hasEnded(header)) await this.#tell(pending.wake);
    else if (mayStillEnd(header, pending, now)) return now + lookAgainMs;
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

/**
 * Whether a commit that is still in flight may end the child. None can once it is leased again, or waits: whoever executes it
 * then tells its parent.
 */
function mayStillEnd({ fence, wakeAt }: RunHeader, pending: Pending, now: number): boolean {
  return fence === pending.fence && wakeAt !== null && wakeAt <= now;
}
