import { holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
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

/** The open questions of all runs that are not suspended, oldest run first. */
export async function* openAsks(parts: Pick<EngineParts, 'store'>, query: AskQuery): AsyncGenerator<OpenAsk> {
  const { name, after, limit = Number.MAX_SAFE_INTEGER } = query;
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'The limit of asks() must be a whole number, 0 or more.', {
      details: { option: 'limit' },
    });
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
    yield* withChildRuns(store, under, (header) => isAsking(header) && (graph === undefined || header.graph === graph));
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
  accepts: (header: RunHeader) => boolean,
): AsyncGenerator<RunHeader> {
  const header = await store.header(runId);
  if (header === undefined) return;
  if (accepts(header)) yield header;
  for await (const child of allRuns(store, { parentId: runId })) yield* withChildRuns(store, child.runId, accepts);
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
