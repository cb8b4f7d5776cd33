import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A system that Holdfast is measured beside, doing the same work. */
export interface Peer {
  /** How long a step takes it in µs. */
  measure(work: PeerWork): Promise<number>;
  close(): Promise<void>;
}

/** So many runs of so many trivial steps, all at once or one after another. */
export interface PeerWork {
  readonly runs: number;
  readonly steps: number;
  readonly atOnce?: boolean;
}

/** What a peer tells of its work. */
export interface PeerMeasured {
  readonly micros: number;
}

/** How LangGraph.js is to be opened. */
export interface LangGraphOptions {
  readonly saver: 'memory' | 'sqlite' | 'sqlite-full' | 'postgres';
  /** The database's file, or its URL. */
  readonly path?: string;
  /** Each step adds an item of so many bytes to a list. */
  readonly itemBytes?: number;
}

/** What a peer is opened with: LangGraph.js as it says, any other with a database of its own. */
export type PeerOptions =
  | ({ readonly module: 'langgraph' } & LangGraphOptions)
  | { readonly module: 'dbos' | 'openworkflow' | 'absurd'; readonly url: string };

/** Where the peers are installed. */
export const peers = new URL('../peers/', import.meta.url);

/** Whether the peers are installed. */
export function hasPeers(): boolean {
  return existsSync(new URL('node_modules', peers));
}

/** LangGraph.js with one of its checkpointers. */
export function openLangGraph(options: LangGraphOptions): Promise<Peer> {
  return openPeer({ module: 'langgraph', ...options });
}

/**
 * Peers have an install of their own, and a process of their own each: what one leaves on (hooks on every promise, a large
 * heap) would slow the other, and nobody runs both in one.
 */
export async function openPeer(options: PeerOptions): Promise<Peer> {
  if (!hasPeers()) throw new Error('The peers are not installed. Run: npm ci --prefix benchmarks/peers');
  const child = fork(fileURLToPath(new URL('peer-child.js', import.meta.url)), [JSON.stringify(options)]);
  await answerOf(child);
  return {
    measure: async (work) => {
      const answer = answerOf(child);
      child.send(work);
      return ((await answer) as PeerMeasured).micros;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const died = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`The peer's process ended with ${code}.`);
    });
    const [answer] = (await Promise.race([once(child, 'message', { signal }), died])) as [unknown];
    return answer;
  } finally {
    over.abort();
  }
}
