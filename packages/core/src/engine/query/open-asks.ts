import { allRuns } from '../../journal/all-runs.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../../value/check-options.ts';
import { isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';

/** Which open questions to list. */
export interface AskQuery {
  readonly graph?: string | undefined;
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Only questions of this run and its child runs. */
  readonly under?: string | undefined;
  /** The id of a question: only those after it. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

const filters: KnownOptions<AskQuery> = {
  graph: true,
  name: true,
  tags: true,
  under: true,
  after: true,
  limit: true,
};

/** A question that waits for an answer. `answerSchema` is JSON Schema if the schema's library can produce it. */
export interface OpenAsk {
  readonly id: string;
  readonly runId: string;
  readonly graph: string;
  readonly node: string;
  readonly name: string;
  readonly show: unknown;
  readonly answerSchema: unknown;
  readonly since: Date;
  readonly until?: Date;
  readonly tags: Readonly<Record<string, string>>;
}

/** The open questions of all runs that are not suspended, oldest run first. @throws HOLDFAST_INVALID_OPTION */
export async function* openAsks(parts: Pick<EngineParts, 'store'>, query: AskQuery): AsyncGenerator<OpenAsk> {
  const { name, after, limit = Number.MAX_SAFE_INTEGER } = checkOptions('asks()', query, filters);
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw invalidOption('limit', 'The limit of asks() must be a whole number, 0 or more.');
  }
  let left = limit;
  let isPast = after === undefined;
  if (left === 0) return;
  for await (const header of waitingRuns(parts, query)) {
    for (const ask of await asksOf(parts, header)) {
      if (isPast && (name === undefined || ask.name === name)) {
        yield ask;
        left -= 1;
        if (left === 0) return;
      }
      isPast ||= ask.id === after;
    }
  }
}

async function* waitingRuns({ store }: Pick<EngineParts, 'store'>, query: AskQuery): AsyncGenerator<RunHeader> {
  const { graph, tags, under } = query;
  if (under !== undefined) {
    const accepts = (header: RunHeader): boolean => isAsking(header) && (graph === undefined || header.graph === graph);
    yield* withChildRuns(store, under, { accepts, seen: new Set() });
    return;
  }
  // A suspended run asks its questions again when it is resumed or answered.
  yield* allRuns(store, { graph, tags, waits: 'ask', status: ['pending', 'running', 'waiting'] });
}

function isAsking({ waits, ...header }: RunHeader): boolean {
  return !isSuspended(header) && waits.some(({ kind }) => kind === 'ask');
}

type Store = EngineParts['store'];

async function* withChildRuns(
  store: Store,
  runId: string,
  walk: { readonly accepts: (header: RunHeader) => boolean; readonly seen: Set<string> },
): AsyncGenerator<RunHeader> {
  // A store may hold anything, also parents in a circle.
  if (walk.seen.has(runId)) return;
  walk.seen.add(runId);
  const header = await store.header(runId);
  if (header === undefined) return;
  if (walk.accepts(header)) yield header;
  for await (const child of allRuns(store, { parentId: runId })) yield* withChildRuns(store, child.runId, walk);
}

async function asksOf({ store }: Pick<EngineParts, 'store'>, header: RunHeader): Promise<readonly OpenAsk[]> {
  const { state } = await loadRun(store, header);
  return [...state.waits.values()]
    .filter(({ kind }) => kind === 'ask')
    .map(({ id, place, show, schema, since, until }) => ({
      id,
      runId: header.runId,
      graph: header.graph,
      node: place.node,
      name: place.name,
      show,
      answerSchema: schema,
      since: new Date(since),
      ...(until !== undefined && { until: new Date(until) }),
      tags: header.tags,
    }));
}
