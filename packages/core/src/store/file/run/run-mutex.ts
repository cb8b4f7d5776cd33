/** Which runs a call looks at and changes; undefined: any. */
export interface Touch {
  /** Calls of a kind go one after the other. */
  readonly kind: 'change' | 'trim';
  readonly runs: ReadonlySet<string> | undefined;
}

interface Turn extends Touch {
  /** Never rejects. */
  readonly over: Promise<unknown>;
}

/**
 * Lets one call after the other change a run, so that what one has checked is still so when it writes. Trimming a run
 * syncs its folder several times; whoever commits to another run meanwhile does not wait for that.
 */
export class RunTurns {
  readonly #turns = new Set<Turn>();

  /** Whether a change of this run would wait for nobody. */
  isFree(runId: string): boolean {
    for (const { kind, runs } of this.#turns)
      if (kind === 'change' || runs === undefined || runs.has(runId)) return false;
    return true;
  }

  async run<T>(touch: Touch, call: () => Promise<T>): Promise<T> {
    const before = [...this.#turns].filter((turn) => excludes(turn, touch));
    const mine = before.length === 0 ? call() : Promise.all(before.map(({ over }) => over)).then(call);
    const turn: Turn = { ...touch, over: mine.catch(() => {}) };
    this.#turns.add(turn);
    try {
      return await mine;
    } finally {
      this.#turns.delete(turn);
    }
  }
}

function excludes(a: Touch, b: Touch): boolean {
  const { runs } = b;
  if (a.kind === b.kind || a.runs === undefined || runs === undefined) return true;
  return [...a.runs].some((runId) => runs.has(runId));
}
