import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, RunSummary } from 'holdfast';
import type { Output } from '../output/output.ts';
import { styleOf } from '../output/palette.ts';
import { printable, shortened, widestOf } from '../output/printable.ts';
import { waitText } from '../output/wait-text.ts';
import { LiveRegion } from './live-region.ts';

/** Fast for a person at a terminal, slow elsewhere to spare the store. */
const pollMs = { terminal: 250, elsewhere: 1_000 };
/** As many runs as a person can follow. The rest are only counted. */
const mostLines = 12;

/** On a terminal, one live line per run. Elsewhere, one line whenever a run changes. */
export class RunBoard {
  readonly #out: Output;
  readonly #engine: Engine;
  readonly #region: LiveRegion;
  readonly #runs = new Map<string, RunSummary>();
  readonly #startedAt = Date.now();

  constructor(out: Output, engine: Engine) {
    this.#out = out;
    this.#engine = engine;
    this.#region = new LiveRegion(out);
  }

  /** Polls the store until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    const everyMs = this.#out.isTerminal ? pollMs.terminal : pollMs.elsewhere;
    while (!signal.aborted) {
      // This is only a view: the engine reports a failing store, and the next poll catches up.
      await this.look().catch(() => undefined);
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Shows what has changed since the last poll. */
  async look(): Promise<void> {
    const found = new Map<string, RunSummary>();
    for await (const run of this.#engine.runs({ status: 'running', limit: 50 })) found.set(run.id, run);
    for await (const run of this.#engine.runs({ limit: 50 })) {
      if (!hasEnded(run) || run.updatedAt.getTime() >= this.#startedAt || this.#runs.has(run.id))
        found.set(run.id, run);
    }
    for (const [id, known] of this.#runs) {
      if (found.has(id) || hasEnded(known)) continue;
      const [now] = await this.#summary(id);
      if (now !== undefined) found.set(id, now);
    }
    const changed = [...found.values()].filter((run) => run.graph !== '' && isOther(this.#runs.get(run.id), run));
    for (const run of changed.toSorted((left, right) => left.updatedAt.getTime() - right.updatedAt.getTime())) {
      this.#tell(run);
    }
    // A worker may live for weeks: forget runs that ended and left the window.
    for (const [id, run] of this.#runs) if (hasEnded(run) && !found.has(id)) this.#runs.delete(id);
    if (this.#out.isTerminal) this.#region.draw(this.#liveLines());
  }

  /** Prints a line that is not about a run. */
  print(line: string): void {
    if (this.#out.isTerminal) this.#region.print(line);
    else this.#out.note(line);
  }

  end(): void {
    this.#region.end();
  }

  async #summary(id: string): Promise<readonly RunSummary[]> {
    try {
      return [await (await this.#engine.get(id)).summary()];
    } catch {
      // It was deleted.
      this.#runs.delete(id);
      return [];
    }
  }

  #tell(run: RunSummary): void {
    this.#runs.set(run.id, run);
    const { isTerminal } = this.#out;
    // On a terminal an unfinished run updates its line in place; a finished one leaves its line behind.
    if (isTerminal && hasEnded(run)) this.#region.print(this.#line(run));
    if (!isTerminal) this.#out.item('run', { ...run }, () => `${this.#out.time(run.updatedAt)}  ${this.#line(run)}`);
  }

  #liveLines(): readonly string[] {
    const live = [...this.#runs.values()].filter((run) => !hasEnded(run));
    const shown = live.slice(0, mostLines).map((run) => this.#line(run));
    const more = live.length - shown.length;
    return more > 0 ? [...shown, this.#out.paint.dim(`and ${more} more`)] : shown;
  }

  #line({ id, graph, status, superstep, waits, updatedAt }: RunSummary): string {
    const { paint, isTerminal } = this.#out;
    const what = waits.length === 0 ? '' : ` for ${printable(waits.map(waitText).join(', '))}`;
    const since = isTerminal ? this.#out.time(updatedAt) : '';
    const all = [...this.#runs.values()];
    const wide = Math.min(36, Math.max(8, widestOf(all.map((run) => run.id))));
    const text = `${shortened(id, wide).padEnd(wide)}  ${printable(graph).padEnd(widestOf(all.map((run) => run.graph)))}  `;
    return `${text}${paint[styleOf(status)](status.padEnd(9))}  ${paint.dim(`super-step ${superstep}`)}${shortened(what, 30)}  ${paint.dim(since)}`.trimEnd();
  }
}

function hasEnded({ status }: RunSummary): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function waitsOf({ waits }: RunSummary): string {
  return waits.map(waitText).join();
}

function isOther(known: RunSummary | undefined, run: RunSummary): boolean {
  if (known === undefined) return true;
  return known.status !== run.status || known.superstep !== run.superstep || waitsOf(known) !== waitsOf(run);
}
