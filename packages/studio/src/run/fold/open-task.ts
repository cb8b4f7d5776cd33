import type { Span, SpanEnd, TaskStory } from './story.ts';

/** Shorter stretches are the journal's own work, and nothing that a node did. */
const leastMs = 1;

/** A task while its super-step is open. What it is busy with becomes a span when a record ends it. */
export class OpenTask {
  readonly node: string;
  readonly item: number | undefined;
  readonly superstep: number;
  readonly from: number;
  readonly spans: Span[] = [];
  failures = 0;
  wasTakenOver = false;
  #busySince: number | undefined;
  #waiting: string | undefined;
  #status: TaskStory['status'] = 'running';
  #to: number | undefined;

  constructor({ node, item, superstep, from }: Pick<TaskStory, 'node' | 'item' | 'superstep' | 'from'>) {
    this.node = node;
    this.item = item;
    this.superstep = superstep;
    this.from = from;
    this.#busySince = from;
  }

  get isDone(): boolean {
    return this.#to !== undefined;
  }

  /** A record ends what it was busy with; it goes on with something else. */
  ran(end: SpanEnd, { at, seq, what }: { readonly at: number; readonly seq: number; readonly what: string }): void {
    const from = this.#busySince;
    this.#busySince = at;
    if (from === undefined || (at - from < leastMs && end === 'done' && this.spans.length > 0)) return;
    this.#add({ kind: 'run', from: Math.min(from, at), to: at, end, what, seq });
  }

  /** It failed, and is tried again later. */
  backsOff(from: number, until: number, seq: number): void {
    this.#add({ kind: 'backoff', from, to: until, end: 'done', what: 'backoff', seq });
    this.#busySince = until;
  }

  /** It waits, and no process executes it. */
  parks(what: string): void {
    this.#busySince = undefined;
    this.#waiting = what;
    this.#status = 'waiting';
  }

  waited(from: number, { at, seq, what }: { readonly at: number; readonly seq: number; readonly what: string }): void {
    this.#add({ kind: 'wait', from, to: at, end: 'done', what, seq });
    this.goesOn(at);
  }

  goesOn(at: number): void {
    this.#busySince ??= at;
    this.#waiting = undefined;
    if (!this.isDone) this.#status = 'running';
  }

  /** Its worker died: what it was busy with is lost, and executed again. */
  isTakenOver({ diedAt, at, seq }: { readonly diedAt: number; readonly at: number; readonly seq: number }): void {
    if (this.#busySince === undefined) return;
    const from = this.#busySince;
    if (from < at)
      this.#add({ kind: 'run', from, to: Math.max(from, diedAt), end: 'killed', what: 'its worker died', seq });
    this.#busySince = at;
    this.wasTakenOver = true;
  }

  ends(status: TaskStory['status'], at: number): void {
    if (this.isDone) return;
    this.#to = at;
    this.#status = status;
    this.#busySince = undefined;
  }

  stops(status: TaskStory['status']): void {
    if (this.isDone) return;
    this.#status = status;
    this.#busySince = undefined;
  }

  /** What it is still busy with. */
  open(seq: number): readonly Span[] {
    const from = this.#busySince;
    if (from === undefined || this.isDone) return [];
    const { node, item, superstep } = this;
    return [
      { node, item, superstep, kind: 'run', from, to: undefined, end: 'open', what: this.#waiting ?? 'running', seq },
    ];
  }

  story(): TaskStory {
    const { node, item, superstep, from, failures, wasTakenOver } = this;
    let activeMs = 0;
    for (const span of this.spans) if (span.kind === 'run') activeMs += (span.to ?? span.from) - span.from;
    return { node, item, superstep, from, to: this.#to, status: this.#status, failures, activeMs, wasTakenOver };
  }

  #add(span: Omit<Span, 'node' | 'item' | 'superstep'>): void {
    const { node, item, superstep } = this;
    this.spans.push({ node, item, superstep, ...span });
  }
}
