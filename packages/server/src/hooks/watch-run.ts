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

/** Follows a run until it has ended or `signal` is aborted; tells of every change. Never rejects. */
export async function watchRun(
  client: Client,
  runId: string,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (snapshot: RunSnapshot) => void },
): Promise<void> {
  let snapshot = unknownRun;
  const change = (changed: Partial<RunSnapshot>): void => {
    if (signal.aborted) return;
    snapshot = { ...snapshot, ...changed };
    tell(snapshot);
  };
  try {
    change(await look(client, runId, signal));
    const onConnection = (connection: 'live' | 'reconnecting'): void => change({ connection });
    for await (const event of client.events(runId, { signal, onConnection })) {
      if (event.type === 'emit') change({ emits: [...snapshot.emits, event['data']] });
      if (changing.has(event.type)) change(await look(client, runId, signal));
    }
    change({ ...(await look(client, runId, signal)), connection: 'ended' });
  } catch (error) {
    change({ error: error as Error, connection: 'ended' });
  }
}

async function look(client: Client, runId: string, signal: AbortSignal): Promise<Partial<RunSnapshot>> {
  const run = await client.run(runId, { signal });
  const state = await client.state(runId, { as: 'json' }).catch((): Partial<StateJson> => ({}));
  return { run, state: state.json, error: undefined };
}

/** What is known of the open questions. */
export interface AsksSnapshot {
  readonly asks: readonly AskJson[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
}

/** Before anything is known. */
export const unknownAsks: AsksSnapshot = { asks: [], isLoading: true, error: undefined };
