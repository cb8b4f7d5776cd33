/** Gives reserved room back. */
type EndReservation = () => void;

/**
 * Decides whether a run may begin to execute here. Without a work loop, every run may. A work loop sets a limit for all runs
 * of its engine. While it drains, no run may begin, and afterwards none until somebody asks for one.
 */
export class Admission {
  /** How many runs execute here. */
  readonly #size: () => number;
  #state: 'open' | 'draining' | 'stopped' | 'closed' = 'open';
  #limit = Number.POSITIVE_INFINITY;
  #reserved = 0;
  #isAskedFor = false;
  #onRoom: (() => void) | undefined;

  constructor(size: () => number) {
    this.#size = size;
  }

  /** Whether any run may begin at all. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Whether a work loop claims the runs that wake. */
  get hasLoop(): boolean {
    return this.#onRoom !== undefined;
  }

  /** How many more runs may begin. */
  get room(): number {
    return this.isOpen ? Math.max(0, this.#limit - this.#size() - this.#reserved) : 0;
  }

  /** Room for a run that is about to begin, so that no other takes it meanwhile. Undefined if there is none. */
  reserve(runs = 1): EndReservation | undefined {
    if (this.room < runs) {
      this.#isAskedFor = true;
      return undefined;
    }
    this.#reserved += runs;
    return () => {
      this.#reserved -= runs;
      if (this.#isAskedFor) this.wakeLoop();
    };
  }

  /** Room for a run that somebody wants to begin here. Undefined if there is none: then a worker begins it later. */
  request(): EndReservation | undefined {
    this.open();
    return this.reserve();
  }

  /** A run may be due, or there may be room again: the work loop looks for runs. */
  wakeLoop(): void {
    this.#isAskedFor = false;
    this.#onRoom?.();
  }

  /** A work loop begins, with room for so many runs. */
  beginLoop(limit: number, onRoom: () => void): void {
    this.#state = 'open';
    this.#limit = limit;
    this.#onRoom = onRoom;
  }

  /** From now on no run may begin. */
  drain(): void {
    if (this.#state !== 'closed') this.#state = 'draining';
    this.#limit = Number.POSITIVE_INFINITY;
    this.#onRoom = undefined;
  }

  /** Everything has ended. Nothing begins by itself. */
  drained(): void {
    if (this.#state === 'draining') this.#state = 'stopped';
  }

  /** Nothing ever begins again, whoever wants it. */
  close(): void {
    this.drain();
    this.#state = 'closed';
  }

  /** Somebody wants runs to execute here again. */
  open(): void {
    if (this.#state === 'stopped') this.#state = 'open';
  }
}
