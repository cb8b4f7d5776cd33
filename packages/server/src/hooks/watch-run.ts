import type { Client } from '../client/client.ts';
import type { AskJson, RunDetailsJson, StateJson } from '../schema/types.ts';

/** What is known of a run at a moment. */
export interface RunSnapshot {
  /** Undefined until the server has answered. */
  readonly run: RunDetailsJson | undefined;
  /** The whole state as JSON; undefined if it is too large to be sent whole. */
  readonly state: unknown;
  /** What this client has seen emitted, in order. */
  readonly emits: readonly unknown[];
  readonly connection: 'connecting' | 'live' | 'reconnecting' | 'ended';
  readonly error: Error | undefined;
}

/** Before anything is known. */
export const unknownRun: RunSnapshot = {
  run: undefined,
  state: undefined,
  emits: [],
  connection: 'connecting',
  error: undefined,
};

/** Events after which a run may look different. */
const changing: ReadonlySet<string> = new Set(['checkpoint', 'wait', 'wait-end', 'run-end', 'turn', 'refused']);

interface Watching {
  readonly signal: AbortSignal;
  readonly tell: (snapshot: RunSnapshot) => void;
}

/** Follows a run until it has ended or `signal` is aborted; tells of every change. Never rejects. */
export async function watchRun(client: Client, runId: string, watching: Watching): Promise<void> {
  const watch = new RunWatch(client, runId, watching);
  try {
    await watch.follow();
  } catch (error) {
    watch.change({ error: error as Error, connection: 'ended' });
  }
}

/** A run with a long history has thousands of events at once: this often, a page is told of what they changed. */
const batchMs = 50;

class RunWatch {
  readonly #client: Client;
  readonly #runId: string;
  readonly #watching: Watching;
  readonly #emits: unknown[] = [];
  #snapshot = unknownRun;
  #isStale = false;
  #round: Promise<void> | undefined;

  constructor(client: Client, runId: string, watching: Watching) {
    this.#client = client;
    this.#runId = runId;
    this.#watching = watching;
  }

  change(changed: Partial<RunSnapshot>): void {
    if (this.#watching.signal.aborted) return;
    this.#snapshot = { ...this.#snapshot, ...changed };
    this.#watching.tell(this.#snapshot);
  }

  async follow(): Promise<void> {
    const { signal } = this.#watching;
    // A server that cannot be reached yet is tried again by the stream.
    await this.#look().catch((error: unknown) => {
      if (isRefusal(error)) throw error;
    });
    const onConnection = (connection: 'live' | 'reconnecting'): void => this.change({ connection });
    for await (const event of this.#client.events(this.#runId, { signal, onConnection })) {
      if (event.type === 'emit') this.#emits.push(event['data']);
      if (changing.has(event.type)) this.#isStale = true;
      if (this.#isStale || event.type === 'emit') this.#round ??= this.#nextRound();
    }
    await this.#round;
    await this.#look();
    this.change({ connection: 'ended' });
  }

  async #nextRound(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, batchMs));
    const isStale = this.#isStale;
    this.#isStale = false;
    try {
      if (isStale) await this.#look();
      else this.change({ emits: [...this.#emits] });
    } catch {
      // The stream says what is wrong.
    } finally {
      this.#round = undefined;
    }
    if (this.#isStale) this.#round = this.#nextRound();
  }

  async #look(): Promise<void> {
    const { signal } = this.#watching;
    const run = await this.#client.run(this.#runId, { signal });
    const { json } = await this.#client
      .state(this.#runId, { as: 'json' }, { signal })
      .catch((): Partial<StateJson> => ({}));
    this.change({ run, state: json, emits: [...this.#emits], error: undefined });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status !== 503 && error.status !== 429;
}

/** What is known of the open questions. */
export interface AsksSnapshot {
  readonly asks: readonly AskJson[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
}

/** Before anything is known. */
export const unknownAsks: AsksSnapshot = { asks: [], isLoading: true, error: undefined };
