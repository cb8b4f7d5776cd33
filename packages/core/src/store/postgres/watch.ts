import type { Env } from '../../env/env.ts';
import { backoffMs } from '../../time/backoff.ts';
import type { Clock } from '../../time/clock.ts';
import { isCount, isText, listOf, nullable, type Shape } from '../../value/data-shape.ts';
import { shortHash } from '../../value/hash/short-hash.ts';
import { isRunId } from '../../value/id.ts';
import type { Hint, HintListener } from '../contract/driver.ts';
import { storedJson } from '../stored-json.ts';
import type { Database } from './connection/database.ts';
import type { PostgresClient, PostgresMessage } from './connection/pool.ts';
import { realClockOf } from './connection/real-clock.ts';
import type { Presence } from './lease/presence.ts';

/** Hints to other processes are sent this often at most: a NOTIFY with each commit would cost most of the throughput. */
const sendEveryMs = 20;
/** A connection that listens is tried again after this long, later and later. Meanwhile, workers ask now and then. */
const listenAgain = { backoffMs: 1_000, maxBackoffMs: 5_000, factor: 2 } as const;
/** A message has at most 8,000 bytes, and an id at most 128. With more runs than this, any run may have changed. */
const mostRuns = 40;

/** A run that changed, its head, and whether it is not due. */
type SentHint = readonly [runId: string, head: number, notDue?: unknown];

/** A message to the other processes: who sent it, and which runs changed. Null: any run may have. */
type Message = readonly [sender: string, hints: readonly SentHint[] | null];

const isHints = listOf((hint) => Array.isArray(hint) && isRunId(hint[0]) && isCount(hint[1]));
const isMessage: Shape = (value) => Array.isArray(value) && isText(value[0]) && nullable(isHints)(value[1]);

/** Tells listeners of commits: of this process's at once, of others' by LISTEN. Nobody relies on either. */
export class Watcher {
  readonly #database: Database;
  /** Has its locks on the connection that listens. */
  readonly #presence: Presence;
  readonly #clock: Clock;
  readonly #channel: string;
  readonly #sender: string;
  readonly #random: () => number;
  readonly #listeners = new Set<{ readonly tell: HintListener }>();
  readonly #unsent = new Map<string, Hint>();
  readonly #closed = new AbortController();
  #isAny = false;
  #sending: Promise<void> | undefined;
  #listening: Promise<void> | undefined;
  #stopListening: AbortController | undefined;

  constructor(database: Database, env: Env, presence: Presence) {
    this.#presence = presence;
    this.#database = database;
    this.#clock = realClockOf(env);
    this.#channel = `holdfast_${shortHash(database.schema).replaceAll('-', '_')}`;
    this.#random = env.random;
    this.#sender = Math.floor(env.random() * 2 ** 48).toString(36);
  }

  add(tell: HintListener): () => void {
    const listener = { tell };
    this.#listeners.add(listener);
    // Behind a pooler, a connection that listens is not the one that is told.
    if (this.#stopListening === undefined && this.#database.named) {
      this.#stopListening = new AbortController();
      this.#listening = this.#listen(this.#stopListening.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Tells our own listeners soon, and those of other processes a little later. Undefined: any run may have changed. */
  tell(hints: readonly (Hint | undefined)[]): void {
    if (hints.length === 0 || this.#closed.signal.aborted) return;
    // In a microtask, so that a listener that throws never fails a commit that was made.
    void Promise.resolve().then(() => this.#hear(hints));
    for (const hint of hints) {
      if (hint === undefined) this.#isAny = true;
      else this.#unsent.set(hint.runId, hint);
    }
    this.#sending ??= this.#sendSoon();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#closed.abort();
    this.#stop();
    await this.#sending;
    await this.#listening;
  }

  #hear(hints: readonly (Hint | undefined)[]): void {
    for (const hint of hints) for (const listener of this.#listeners) listener.tell(hint);
  }

  #stop(): void {
    this.#stopListening?.abort();
    this.#stopListening = undefined;
  }

  async #sendSoon(): Promise<void> {
    await this.#clock.sleep(sendEveryMs, this.#closed.signal).catch(() => undefined);
    const hints = Array.from(this.#unsent.values(), ({ runId, head, notDue }): SentHint => [runId, head, notDue]);
    const message: Message = [this.#sender, this.#isAny || hints.length > mostRuns ? null : hints];
    this.#unsent.clear();
    this.#isAny = false;
    const values = [this.#channel, JSON.stringify(message)];
    await this.#database.rows('SELECT pg_notify($1, $2)', values).catch(() => undefined);
    this.#sending = undefined;
    if (!this.#closed.signal.aborted && (this.#isAny || this.#unsent.size > 0)) this.#sending = this.#sendSoon();
  }

  async #listen(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      // One that was there for a while is no failure.
      const isLost = await this.#listenOnce(signal).then(
        () => true,
        () => false,
      );
      failures = isLost ? 1 : failures + 1;
      const ms = backoffMs({ ...listenAgain, attempt: failures, random: this.#random });
      await this.#clock.sleep(ms, signal).catch(() => undefined);
    }
  }

  /** Listens until the connection is lost or nobody watches any more. */
  async #listenOnce(signal: AbortSignal): Promise<void> {
    const client = await this.#database.connect();
    const onMessage = ({ payload }: PostgresMessage): void => this.#receive(payload);
    client.on('notification', onMessage);
    const silenced = new AbortController();
    const { kept } = this.#database;
    try {
      const ended = endOf(client, AbortSignal.any([signal, silenced.signal]));
      kept?.keep(client, () => silenced.abort());
      await Promise.race([ended, this.#begin(client)]);
      await ended;
    } finally {
      if (signal.aborted) kept?.forget();
      else kept?.lost();
      // Before the connection ends, where it ends on purpose.
      await this.#presence.lost();
      client.removeListener('notification', onMessage);
      // It would keep listening.
      client.release(true);
    }
  }

  async #begin(client: PostgresClient): Promise<void> {
    await client.query({ text: `LISTEN "${this.#channel}"`, values: [], rowMode: 'array' });
    // Whatever was sent before is lost.
    this.#hear([undefined]);
    await this.#presence.connected(client);
  }

  #receive(payload = ''): void {
    // Anyone who may connect to the database may send to any channel.
    const message = storedJson(payload, isMessage) as Message | undefined;
    if (message === undefined) return this.#hear([undefined]);
    const [sender, hints] = message;
    if (sender === this.#sender) return;
    this.#hear(
      hints === null ? [undefined] : hints.map(([runId, head, notDue]) => ({ runId, head, notDue: notDue === true })),
    );
  }
}

/** Resolves when the connection is lost, or when nobody needs it any more. */
function endOf(client: PostgresClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
