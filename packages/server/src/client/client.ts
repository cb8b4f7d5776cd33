import type { EffectOutcome, ImportReport } from 'holdfast';
import type { Api } from '../api.ts';
import type { Json } from '../json/plain.ts';
import type { ForkBody, PruneBody, ResumeBody, StartBody } from '../schema/command.ts';
import type { ForkPreviewJson, GraphCheckJson, QuestionsJson, TimelineJson } from '../schema/timeline-types.ts';
import type {
  AsksPageJson,
  CallerJson,
  CheckpointsPageJson,
  CountJson,
  DiffJson,
  DoneJson,
  EventJson,
  ForkTreeJson,
  GraphJson,
  HealthJson,
  JournalPageJson,
  OverviewJson,
  PrunedJson,
  RunDetailsJson,
  RunsPageJson,
  StartedJson,
  StateJson,
  StoreJson,
} from '../schema/types.ts';
import { type EventsOptions, readEvents } from './event-source.ts';
import { type ClientOptions, Http, type Query } from './http.ts';
import type { GraphName, InputJson } from './types.ts';

/** Options of a start besides the graph and its input. */
export type StartOptions = Omit<StartBody, 'graph' | 'input'>;

/** Which page of a list. */
export interface PageOptions {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** A typed client of the HTTP API, for browsers and Node. `A` is the type of the server. */
export class Client<A extends Api = Api> {
  readonly #http: Http;

  constructor(options: ClientOptions = {}) {
    this.#http = new Http(options);
  }

  /** How many runs there are of each status. */
  overview(): Promise<OverviewJson> {
    return this.#http.get('/overview');
  }

  /** Lists runs, newest first: `client.runs('status:waiting graph:refunds')`. */
  runs(q?: string, page: PageOptions = {}): Promise<RunsPageJson> {
    return this.#http.get('/runs', { q, ...page });
  }

  /** Counts runs, up to 1,000. */
  count(q?: string): Promise<CountJson> {
    return this.#http.get('/runs/count', { q });
  }

  /** A run: its status, what it waits for, why it failed, what it returned. */
  run(runId: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<RunDetailsJson> {
    return this.#http.get(pathOf(runId), {}, signal);
  }

  /** Starts a run of a graph. The same id and input again is the same run. */
  start<N extends GraphName<A>>(graph: N, input: InputJson<A, N>, options: StartOptions = {}): Promise<StartedJson> {
    return this.#http.post('/runs', { ...options, graph, input });
  }

  /** The run that this one goes back to, with all its forks, and the newest `n` checkpoints of each. */
  tree(runId: string, options: { readonly n?: number | undefined } = {}): Promise<ForkTreeJson> {
    return this.#http.get(`${pathOf(runId)}/tree`, { ...options });
  }

  /** The checkpoints of a run, newest first. With `own`, not those of the runs that it was forked from. */
  checkpoints(
    runId: string,
    {
      own,
      ...page
    }: {
      readonly before?: string | undefined;
      readonly limit?: number | undefined;
      readonly own?: boolean | undefined;
    } = {},
  ): Promise<CheckpointsPageJson> {
    return this.#http.get(`${pathOf(runId)}/checkpoints`, { ...page, own: own === true ? 'true' : undefined });
  }

  /** Every try of a node, a step and a wait of a run, and its takeovers, from its last `n` records. */
  timeline(runId: string, options: { readonly n?: number | undefined } = {}): Promise<TimelineJson> {
    return this.#http.get(`${pathOf(runId)}/timeline`, { ...options });
  }

  /** The questions of a run, open and answered, from its last `n` records. */
  questions(runId: string, options: { readonly n?: number | undefined } = {}): Promise<QuestionsJson> {
    return this.#http.get(`${pathOf(runId)}/questions`, { ...options });
  }

  /** A state, or a part of it by path and slice. */
  state(
    runId: string,
    slice: {
      readonly at?: string | undefined;
      readonly path?: string | undefined;
      readonly from?: number | undefined;
      readonly n?: number | undefined;
      readonly depth?: number | undefined;
      readonly as?: 'tree' | 'json' | undefined;
    } = {},
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StateJson> {
    return this.#http.get(`${pathOf(runId)}/state`, { ...slice }, signal);
  }

  /** The changes from one state to another: each a run, or a checkpoint. */
  diff(
    from: string,
    to: string,
    page: { readonly after?: number | undefined; readonly limit?: number | undefined } = {},
  ): Promise<DiffJson> {
    return this.#http.get('/diff', { from, to, ...page });
  }

  /** The records of a run. */
  journal(
    runId: string,
    page: {
      readonly after?: number | undefined;
      readonly limit?: number | undefined;
      readonly tail?: number | undefined;
      readonly kind?: string | undefined;
    } = {},
  ): Promise<JournalPageJson> {
    return this.#http.get(`${pathOf(runId)}/journal`, { ...page });
  }

  /** Streams the events of a run, each once, also across lost connections. Ends with the run. */
  events(runId: string, options: EventsOptions = {}): AsyncIterable<EventJson> {
    return readEvents(this.#http, `${pathOf(runId)}/events`, options);
  }

  /** The open questions, oldest first. */
  asks(
    query: PageOptions & {
      readonly graph?: string | undefined;
      readonly name?: string | undefined;
      readonly run?: string | undefined;
    } = {},
  ): Promise<AsksPageJson> {
    return this.#http.get('/asks', query as Query);
  }

  /** Answers a question. @throws ClientError with HOLDFAST_ALREADY_ANSWERED if someone else was first */
  answer(
    runId: string,
    name: string,
    value: unknown,
    { id }: { readonly id?: string | undefined } = {},
  ): Promise<DoneJson> {
    return this.#http.post(`${pathOf(runId)}/answer`, { name, value, id });
  }

  /** Sends a message. A repeated id is the same message. */
  send(
    runId: string,
    name: string,
    value: unknown,
    { id }: { readonly id?: string | undefined } = {},
  ): Promise<DoneJson> {
    return this.#http.post(`${pathOf(runId)}/send`, { name, value, id });
  }

  /** Settles a 'once' effect whose outcome is unknown. */
  settle(runId: string, key: string, outcome: EffectOutcome): Promise<DoneJson> {
    return this.#http.post(`${pathOf(runId)}/settle`, { key, outcome });
  }

  /** Creates a run that shares the history of another. */
  fork(runId: string, options: ForkBody = {}): Promise<StartedJson> {
    return this.#http.post(`${pathOf(runId)}/fork`, options);
  }

  /** Says what a fork would share, change and run. */
  previewFork(runId: string, options: Pick<ForkBody, 'at' | 'set' | 'next'> = {}): Promise<ForkPreviewJson> {
    return this.#http.post(`${pathOf(runId)}/fork/preview`, options);
  }

  /** Lets a worker continue a run. */
  resume(runId: string, options: ResumeBody = {}): Promise<DoneJson> {
    return this.#http.post(`${pathOf(runId)}/resume`, options);
  }

  /** Cancels a run and its child runs. */
  cancel(runId: string, reason?: string): Promise<DoneJson> {
    return this.#http.post(`${pathOf(runId)}/cancel`, { reason });
  }

  /** Deletes a run. */
  delete(runId: string): Promise<{ readonly deleted: boolean }> {
    return this.#http.delete(pathOf(runId));
  }

  /** Imports a run that `holdfast export` wrote. Only for administrators. */
  import(
    file: Blob | Uint8Array<ArrayBuffer>,
    { id }: { readonly id?: string | undefined } = {},
  ): Promise<ImportReport> {
    return this.#http.upload('/import', file, { id });
  }

  /** Says what a prune would drop. With `apply`, drops it. */
  prune(policy: PruneBody): Promise<PrunedJson> {
    return this.#http.post('/prune', policy);
  }

  /** The graphs that the server knows. */
  async graphs(): Promise<readonly GraphJson[]> {
    const { graphs } = await this.#http.get<{ readonly graphs: readonly GraphJson[] }>('/graphs');
    return graphs;
  }

  /** A graph that the server knows. */
  graph(name: string): Promise<GraphJson> {
    return this.#http.get(`/graphs/${encodeURIComponent(name)}`);
  }

  /** Whether the server's build of a graph could continue all of its unfinished runs. */
  check(graph: string): Promise<GraphCheckJson> {
    return this.#http.get(`/graphs/${encodeURIComponent(graph)}/check`);
  }

  /** The size of the store by graph. */
  store(): Promise<StoreJson> {
    return this.#http.get('/store');
  }

  /** Whether the server and its store answer. @throws ClientError with status 503 if the store does not */
  health(): Promise<HealthJson> {
    return this.#http.get('/health');
  }

  /** Numbers for Prometheus. */
  async metrics(): Promise<string> {
    return (await this.#http.stream('/metrics', {}, {})).text();
  }

  /** The OpenAPI document. */
  openApi(): Promise<Readonly<Record<string, Json>>> {
    return this.#http.get('/openapi.json');
  }

  /** Who the server thinks you are. */
  caller(): Promise<CallerJson> {
    return this.#http.get('/caller');
  }
}

function pathOf(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}
