import type { EventJson } from '../schema/types.ts';
import { ClientError, type Http } from './http.ts';

/** Which events to read. */
export interface EventsOptions {
  /** The cursor of an event: only later ones. */
  readonly after?: string | undefined;
  /** 'idle': also ends when the run needs input. */
  readonly until?: 'end' | 'idle' | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * After so many milliseconds without a byte, the connection is taken for lost. The server says every 15 seconds that it is
   * alive, unless it was told otherwise. Default: 60 seconds.
   */
  readonly silenceMs?: number | undefined;
  /** Called when the connection is there, and when it is lost and tried again. */
  readonly onConnection?: ((state: 'live' | 'reconnecting') => void) | undefined;
}

const firstDelayMs = 250;
const maxDelayMs = 10_000;
const maxSilenceMs = 60_000;

/**
 * The events of a run, each once, also across lost connections. Ends with the run. A refusal of the server is an error;
 * anything else is tried again.
 */
export async function* readEvents(http: Http, path: string, options: EventsOptions): AsyncGenerator<EventJson> {
  const { signal } = options;
  let after = options.after;
  let delayMs = firstDelayMs;
  for (;;) {
    try {
      for await (const { id, event, data } of messages(http, path, { ...options, after })) {
        if (event === 'end') return;
        if (event === 'failure') throw new ClientError(500, (JSON.parse(data) as { error: never }).error);
        after = id ?? after;
        delayMs = firstDelayMs;
        yield JSON.parse(data) as EventJson;
      }
    } catch (error) {
      if (signal?.aborted === true) return;
      const isFinal = error instanceof ClientError && error.status !== 503 && error.status !== 429;
      if (isFinal) throw error;
    }
    if (signal?.aborted === true) return;
    options.onConnection?.('reconnecting');
    // Many clients lose their connections at once, and should not come back at once.
    await pause(delayMs * (0.5 + Math.random()), signal);
    delayMs = Math.min(2 * delayMs, maxDelayMs);
  }
}

interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

async function* messages(http: Http, path: string, options: EventsOptions): AsyncGenerator<Message> {
  const { after, until, signal, onConnection, silenceMs = maxSilenceMs } = options;
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  let alarm: ReturnType<typeof setTimeout> | undefined;
  try {
    // A network that is gone says nothing.
    alarm = setTimeout(stop, silenceMs);
    const { body } = await http.stream(path, { after, until }, { signal: abort.signal });
    if (body === null) return;
    onConnection?.('live');
    let text = '';
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(alarm);
      if (done) return;
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield* messageOf(block);
      alarm = setTimeout(stop, silenceMs);
    }
  } finally {
    clearTimeout(alarm);
    signal?.removeEventListener('abort', stop);
    // A reader that stops early closes the connection.
    stop();
  }
}

function* messageOf(block: string): Generator<Message> {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /u, ''));
  }
  const data = fields.get('data');
  if (data !== undefined) yield { id: fields.get('id'), event: fields.get('event'), data };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
