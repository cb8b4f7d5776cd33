import type { Api } from '../api.ts';
import { Client } from '../client/client.ts';
import type { ClientOptions } from '../client/http.ts';
import type { AnswersJsonOf, EmitJsonOf, GraphName, MessagesJsonOf, StateJsonOf } from '../client/types.ts';
import type { AskJson, RunDetailsJson, WaitJson } from '../schema/types.ts';
import { type AsksSnapshot, type RunSnapshot, unknownAsks, unknownRun, watchRun } from './watch-run.ts';

/** What we use of React or Preact. */
export interface Library {
  readonly useState: <T>(initial: T) => readonly [T, (value: T) => void];
  readonly useEffect: (effect: () => () => void, inputs: readonly unknown[]) => void;
}

type ByName = Readonly<Record<string, unknown>>;

/** A run, as a component sees it. */
export interface UsedRun<State = unknown, Emit = unknown, Answers = ByName, Messages = ByName> {
  /** Undefined until the server has answered. */
  readonly status: RunDetailsJson['status'] | undefined;
  readonly run: RunDetailsJson | undefined;
  /** The state as JSON. Undefined until it is there, and if it is too large to be sent whole. */
  readonly state: State | undefined;
  readonly emits: readonly Emit[];
  /** What the run waits for. */
  readonly waits: readonly WaitJson[];
  readonly connection: RunSnapshot['connection'];
  readonly error: Error | undefined;
  /** Answers an open question of the run. @throws ClientError with HOLDFAST_ALREADY_ANSWERED if someone else was first */
  answer<K extends keyof Answers & string>(name: K, value: Answers[K]): Promise<void>;
  /** Sends a message. A repeated id is the same message. */
  send<K extends keyof Messages & string>(
    name: K,
    value: Messages[K],
    options?: { readonly id?: string },
  ): Promise<void>;
  /** Cancels the run and its child runs. */
  cancel(reason?: string): Promise<void>;
  /** Lets a worker continue the run. */
  resume(): Promise<void>;
}

/** Which questions `useAsks` shows. */
export interface UseAsksOptions {
  readonly graph?: string | undefined;
  readonly run?: string | undefined;
  /** How often to ask, in milliseconds. Default: 3 seconds. */
  readonly every?: number | undefined;
}

/** The open questions, as a component sees them. */
export interface UsedAsks extends AsksSnapshot {
  /** Answers a question, and asks for the list again: the question is gone, whoever was first. */
  answer(ask: AskJson, value: unknown): Promise<void>;
}

/** The hooks of a server. */
export interface Hooks<A extends Api> {
  /** Follows a run while the component is there. */
  readonly useRun: <N extends GraphName<A>>(
    graph: N,
    runId: string,
  ) => UsedRun<StateJsonOf<A, N>, EmitJsonOf<A, N>, AnswersJsonOf<A, N>, MessagesJsonOf<A, N>>;
  /** The open questions, like an inbox. */
  readonly useAsks: (options?: UseAsksOptions) => UsedAsks;
  readonly client: Client<A>;
}

/** Makes hooks of a library's own. */
export function hooksOf<A extends Api>(library: Library, options: ClientOptions): Hooks<A> {
  const client = new Client<A>(options);
  const useRun = (_graph: string, runId: string): UsedRun => {
    const [snapshot, tell] = library.useState<RunSnapshot>(unknownRun);
    library.useEffect(() => {
      const abort = new AbortController();
      tell(unknownRun);
      void watchRun(client, runId, { signal: abort.signal, tell });
      return () => abort.abort();
    }, [runId]);
    const { run, state, emits, connection, error } = snapshot;
    return {
      status: run?.status,
      run,
      state,
      emits,
      waits: run?.open ?? [],
      connection,
      error,
      ...verbs(client, runId),
    };
  };
  return { useRun: useRun as Hooks<A>['useRun'], useAsks: useAsksOf(library, client), client };
}

type Verbs = Pick<UsedRun, 'answer' | 'send' | 'cancel' | 'resume'>;

function verbs<A extends Api>(client: Client<A>, runId: string): Verbs {
  return {
    answer: async (name, value) => void (await client.answer(runId, name, value)),
    send: async (name, value, options) => void (await client.send(runId, name, value, options)),
    cancel: async (reason) => void (await client.cancel(runId, reason)),
    resume: async () => void (await client.resume(runId)),
  };
}

function useAsksOf({ useState, useEffect }: Library, client: Client): Hooks<Api>['useAsks'] {
  return ({ graph, run, every = 3_000 } = {}) => {
    const [snapshot, tell] = useState<AsksSnapshot>(unknownAsks);
    const [round, next] = useState(0);
    useEffect(() => {
      let isHere = true;
      const look = async (): Promise<void> => {
        const found = await client
          .asks({ graph, run })
          .then(({ asks }): AsksSnapshot => ({ asks, isLoading: false, error: undefined }))
          .catch((error: Error): AsksSnapshot => ({ asks: [], isLoading: false, error }));
        if (isHere) tell(found);
      };
      void look();
      const timer = setInterval(() => void look(), every);
      return () => {
        isHere = false;
        clearInterval(timer);
      };
    }, [graph, run, every, round]);
    const answer = async ({ runId, name, id }: AskJson, value: unknown): Promise<void> => {
      try {
        await client.answer(runId, name, value, { id });
      } finally {
        // Whoever was first: the question is gone.
        next(round + 1);
      }
    };
    return { ...snapshot, answer };
  };
}
