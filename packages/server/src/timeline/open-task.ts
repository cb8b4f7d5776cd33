import type { RecordFields, TakeoverMark } from './record-fields.ts';
import type { Span } from './span.ts';

/** Which task: a node, or one item of an `each`. */
export interface TaskPlace {
  readonly node: string;
  readonly item?: number | undefined;
}

/** The key of a task in its super-step. */
export function taskKey({ node, item }: TaskPlace): string {
  return item === undefined ? node : `${node}\n${item}`;
}

/** The key of a call in its task. */
function callKey({ name = '', n = 0 }: RecordFields): string {
  return `${name}\n${n}`;
}

/** A task that has not ended: when its calls began is known from the results that their body had been given by then. */
export class OpenTask {
  readonly place: TaskPlace;
  attempt = 1;
  begun: number;
  /** Its calls, and its own failed tries. */
  readonly spans: Span[] = [];
  readonly #given: number[] = [];
  readonly #retries = new Map<string, { readonly attempt: number; readonly from: number }>();
  #killed: { readonly begun: number; readonly given: number; readonly until: number } | undefined;

  constructor(place: TaskPlace, begun: number) {
    this.place = place;
    this.begun = begun;
  }

  /** The body was given a result at this time. */
  gave(at: number): void {
    this.#given.push(at);
  }

  /** When a call began, and which try of it this is. */
  begunOf(call: RecordFields): { readonly from: number; readonly attempt: number } {
    const retry = this.#retries.get(callKey(call));
    const attempt = retry?.attempt ?? 1;
    return { from: Math.max(retry?.from ?? this.#begunAfter(call.after, this.begun), this.begun), attempt };
  }

  /** A try of a call failed; the next one begins then. */
  failed(call: RecordFields, next: number): void {
    this.#retries.set(callKey(call), { attempt: this.begunOf(call).attempt + 1, from: next });
  }

  /** Another worker executes the task again from its beginning. Returns when it was cut off. */
  takenOver({ at, noticed }: TakeoverMark, lastAt: number): number {
    const until = noticed === 'death' ? at : Math.max(lastAt, this.begun);
    this.#killed = { begun: this.begun, given: this.#given.length, until };
    this.begun = at;
    return until;
  }

  /** The time that the call was cut off by a death, if it had begun by then. Returned once. */
  killedBefore(call: RecordFields): { readonly from: number; readonly until: number } | undefined {
    const killed = this.#killed;
    if (killed === undefined || (call.after ?? this.#given.length) > killed.given) return undefined;
    const retry = this.#retries.get(callKey(call));
    const from = retry?.from ?? this.#begunAfter(call.after, killed.begun);
    return from > killed.until ? undefined : { from, until: killed.until };
  }

  #begunAfter(after = this.#given.length, begun: number): number {
    return after === 0 ? begun : (this.#given[Math.min(after, this.#given.length) - 1] ?? begun);
  }
}
