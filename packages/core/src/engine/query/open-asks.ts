import { holdfastError } from '../../errors/holdfast-error.ts';
import type { Asks, ShowOut } from '../../graph/ask.ts';
import type { AnyGraph } from '../../graph/shape.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { isMalformed } from '../../store/is-corruption.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../../value/check/check-options.ts';
import { printable } from '../../value/printable.ts';
import type { WithinOptions } from '../graph-run.ts';
import { isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { nameOf } from './get-run.ts';

/**
 * Which open questions to list.
 *
 * @example
 * ```ts
 * const inbox: AskQuery = { graph: refunds, name: 'approval', limit: 20 };
 * for await (const { runId, show } of engine.asks(inbox)) console.log(runId, show);
 * ```
 */
export interface AskQuery {
  /** A graph, or its name. */
  readonly graph?: AnyGraph | string | undefined;
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

/**
 * A question that waits for an answer. `answerSchema` is JSON Schema if the schema's library can produce it.
 *
 * @example
 * ```ts
 * const line = ({ runId, name, since }: OpenAsk): string => `${runId} asks ${name} since ${since.toISOString()}`;
 * ```
 */
export type OpenAsk<A = Asks> = {
  readonly id: string;
  readonly runId: string;
  readonly graph: string;
  readonly node: string;
  readonly answerSchema: unknown;
  readonly since: Date;
  readonly until?: Date;
  readonly tags: Readonly<Record<string, string>>;
} & { [K in keyof A & string]: { readonly name: K; readonly show: ShowOut<A[K]> } }[keyof A & string];

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
  const { tags, under } = query;
  const graph = query.graph === undefined ? undefined : nameOf(query.graph);
  if (under !== undefined) {
    const accepts = (header: RunHeader): boolean => isAsking(header) && (graph === undefined || header.graph === graph);
    yield* withChildRuns(store, under, { accepts, seen: new Set() });
    return;
  }
  // A suspended run asks its questions again when it is resumed or answered.
  yield* allRuns(
    store,
    { graph, tags, waits: 'ask', status: ['pending', 'running', 'waiting'] },
    { onCorrupt: 'warn' },
  );
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
  for await (const child of allRuns(store, { parentId: runId }, { onCorrupt: 'warn' }))
    yield* withChildRuns(store, child.runId, walk);
}

async function asksOf({ store }: Pick<EngineParts, 'store'>, header: RunHeader): Promise<readonly OpenAsk[]> {
  const loaded = await loadRun(store, header).catch((error: unknown) => {
    // One corrupt run must not hide the questions of all others.
    if (!isMalformed(error)) throw error;
    store.warnOnce(error);
    return undefined;
  });
  return [...(loaded?.state.waits.values() ?? [])]
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

/**
 * A question and the run that asks it: what `asks` lists, or a wait of an outcome.
 *
 * @example
 * ```ts
 * const approve = (question: AskedHere): Promise<void> => engine.answer(question, true, { by: 'ada' });
 * ```
 */
export interface AskedHere {
  readonly id: string;
  readonly runId: string;
  readonly name: string;
}

/**
 * Options of `engine.answer`.
 *
 * @example
 * ```ts
 * const question = await engine.asks(refunds).first();
 * if (question !== undefined) await engine.answer(question, true, { by: 'ada' });
 * ```
 */
export interface AnswerOptions extends WithinOptions {
  /** Who answers: later answers that differ are refused with this name. */
  readonly by?: string | undefined;
}

/** Which run asks a question. An id alone is looked for among the open questions. @throws HOLDFAST_UNKNOWN_QUESTION */
export async function findQuestion(
  { store }: Pick<EngineParts, 'store'>,
  question: AskedHere | string,
): Promise<AskedHere> {
  if (typeof question !== 'string') {
    // The outcome of an outer run names the question of an inner graph by its path, and the inner run by its id.
    const { id, runId, name } = question;
    return { id, runId, name: name.slice(name.lastIndexOf('/') + 1) };
  }
  for await (const { runId, waits } of allRuns(store, { waits: 'ask' }, { onCorrupt: 'warn' })) {
    const found = waits.find(({ kind, id }) => kind === 'ask' && id === question);
    if (found !== undefined) return { id: found.id, runId, name: found.name };
  }
  throw holdfastError(
    'HOLDFAST_UNKNOWN_QUESTION',
    `No run has an open question with the id "${printable(question)}". asks() lists the open ones. To repeat an answer, pass the question as asks() listed it.`,
    { details: { id: question } },
  );
}
