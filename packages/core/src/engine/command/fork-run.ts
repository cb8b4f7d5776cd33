import { applyUpdates } from '../../channel/update/apply-updates.ts';
import { prepareValues } from '../../channel/update/prepare-update.ts';
import { validated } from '../../channel/validated.ts';
import type { FoldState } from '../../delta/cell.ts';
import { cellOf } from '../../delta/cell.ts';
import type { Deltas } from '../../delta/delta.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { Segment } from '../../history/lineage.ts';
import { loadSegments } from '../../journal/run-journal.ts';
import { type NewEntry, placeEntry } from '../../record/record.ts';
import { copyRunState } from '../../runner/fold/copy-run-state.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import type { Paused, RunState } from '../../runner/fold/run-state.ts';
import { headerOf } from '../../runner/plan/run-header.ts';
import type { HeaderState, NewRun, RunHeader } from '../../store/contract/run.ts';
import { checkBy } from '../../value/check/check-by.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../../value/check/check-options.ts';
import { checkTags } from '../../value/check/check-tags.ts';
import { checkText } from '../../value/check/check-text.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRunId } from '../../value/id.ts';
import { printable } from '../../value/printable.ts';
import type { RunOptions } from '../graph-run.ts';
import { deadlineOf, type EngineParts } from '../parts.ts';
import { type HistoryContext, placeIn, readHistory } from '../query/run-history.ts';
import { hasEnded } from '../query/run-summary.ts';
import type { SharedState } from '../query/shared-states.ts';
import { runSettings } from './prepare-start.ts';

/** How a fork differs from its base. */
export interface ForkRunOptions extends Omit<RunOptions, 'turn'> {
  /** A checkpoint of the run; default: its head. */
  readonly at?: string | undefined;
  /** A node: forks at the last checkpoint before it ran. */
  readonly before?: string | undefined;
  /** Values of channels, not updates. They are validated, and unknown channels are refused. */
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** The nodes to run next. */
  readonly next?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly by?: string | undefined;
  /** Continues the fork at once, as `resume` does. Default: it is suspended. */
  readonly resume?: boolean | undefined;
}

const forkOptions: KnownOptions<ForkRunOptions> = {
  at: true,
  before: true,
  set: true,
  next: true,
  label: true,
  by: true,
  resume: true,
  id: true,
  tags: true,
  maxSupersteps: true,
  timeout: true,
  pauseBefore: true,
  pauseAfter: true,
};

/** A fork, and the seq it was forked from. */
export interface Forked {
  readonly runId: string;
  readonly seq: number;
}

/**
 * Creates a run that shares the history of another up to a record. It stores only a pointer
 * and the edits. The fork is suspended until someone resumes or answers it, unless `resume` is given.
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_CURSOR, HOLDFAST_UNKNOWN_CHANNEL, HOLDFAST_INVALID_VALUE, HOLDFAST_ID_TAKEN
 */
export async function forkRun(
  parts: EngineParts,
  header: RunHeader,
  graph: CompiledGraph | undefined,
  options: ForkRunOptions,
): Promise<Forked> {
  checkOptions('fork()', options, forkOptions);
  const runId = checkRunId(options.id ?? parts.newId());
  await parts.leases.knowTime();
  const segments = await loadSegments(parts.store, header);
  const given = (await lastBefore({ store: parts.store, header, graph }, options)) ?? options.at;
  const at = given === undefined ? header.head : placeIn(segments, header, given);
  return parts.states.use({ header, seq: at }, async (there) => {
    const seq = isEdited(options) ? await beforeEdits(header, there) : at;
    const forkedAt = baseOf(segments, seq);
    const paused = options.next === undefined ? there.state.paused : undefined;
    const forkThere = ({ state }: SharedState): Promise<number | null> =>
      forkState(parts, { runId, forkedAt, header, graph, options, paused, state: copyRunState(state) });
    const wakeAt = await (seq === at ? forkThere(there) : parts.states.use({ header, seq }, forkThere));
    if (options.resume === true) await continueHere(parts, { ...header, runId, head: seq + 1, wakeAt });
    return { runId, seq };
  });
}

/** The last checkpoint at which this node was to run next. */
async function lastBefore(context: HistoryContext, { at, before }: ForkRunOptions): Promise<string | undefined> {
  if (before === undefined) return undefined;
  if (at !== undefined) throw twoPlaces();
  for await (const { id, next } of readHistory(context, {})) if (next.includes(before)) return id;
  const { runId } = context.header;
  throw holdfastError(
    'HOLDFAST_NOT_FOUND',
    `Run "${runId}" has no checkpoint before node "${printable(before)}". history() lists its checkpoints.`,
    { details: { runId, node: before } },
  );
}

function twoPlaces(): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', 'fork() takes `at` or `before`, not both.', {
    details: { option: 'before' },
  });
}

interface Forking extends Omit<NewFork, 'entries' | 'tags' | 'continues'> {
  readonly graph: CompiledGraph | undefined;
  readonly options: ForkRunOptions;
  /** Where the base is paused. */
  readonly paused: Paused | undefined;
}

/** Creates the fork, and returns when it wakes. */
async function forkState(parts: EngineParts, { graph, options, paused, ...fork }: Forking): Promise<number | null> {
  const { runId, forkedAt, state } = fork;
  const edited = options.set === undefined ? undefined : await editedValues(parts, fork, { graph, set: options.set });
  const at = parts.env.clock.now();
  const settings = graph && runSettings(graph, options);
  const payload = {
    ...(options.label !== undefined && { label: checkText('label', options.label) }),
    ...checkBy(options.by),
    ...(edited !== undefined && { delta: edited.delta }),
    ...(options.next !== undefined && { next: checkNext(graph, options.next) }),
    ...(settings !== undefined && { settings }),
  };
  const entry: NewEntry = { kind: 'fork', at, ...(Object.keys(payload).length > 0 && { payload }) };
  foldRecord(state, placeEntry(entry, runId, forkedAt.seq + 1), edited?.values);
  const { tags, resume: continues = false } = options;
  const entries = [entry, ...pausedAgain(state, paused, at), ...(continues ? resumed(state, at) : [])];
  return createFork(parts, { ...fork, entries, tags, continues });
}

/**
 * A fork of a paused run is paused there too, so that one `resume` continues it. Edits move the fork to the checkpoint before
 * the pause.
 */
function pausedAgain(state: RunState, paused: Paused | undefined, at: number): readonly NewEntry[] {
  if (paused === undefined || state.paused !== undefined) return [];
  const { when, nodes } = paused;
  return [folded(state, { kind: 'pause', at, payload: { when, nodes } })];
}

/** What `resume` would write. Nothing if the fork has completed. */
function resumed(state: RunState, at: number): readonly NewEntry[] {
  if (state.end !== undefined) return [];
  return [folded(state, { kind: 'resume', at, payload: {} })];
}

function folded(state: RunState, entry: NewEntry): NewEntry {
  foldRecord(state, placeEntry(entry, state.runId, state.head + 1));
  return entry;
}

function isEdited({ set, next }: ForkRunOptions): boolean {
  return set !== undefined || next !== undefined;
}

/** The end of a super-step: an unfinished one cannot continue with an edited state. */
async function beforeEdits({ runId }: RunHeader, { state, checkpoint }: SharedState): Promise<number> {
  for (const { calls } of state.open.values()) {
    for (const { intent } of calls.values()) if (intent !== undefined) throw pendingEffect(runId, intent);
  }
  return checkpoint();
}

/** The run of the lineage that has the record. */
function baseOf(segments: readonly Segment[], seq: number): { readonly runId: string; readonly seq: number } {
  const holder = segments.find(({ after, upTo }) => seq > after && seq <= upTo);
  return { runId: holder?.runId ?? '', seq };
}

interface Edits {
  readonly graph: CompiledGraph | undefined;
  readonly set: Readonly<Record<string, unknown>>;
}

async function editedValues(
  parts: EngineParts,
  { runId, state: { values } }: Pick<Forking, 'runId' | 'state'>,
  { graph, set }: Edits,
): Promise<{ readonly values: FoldState; readonly delta: Deltas }> {
  // Bytes have a key for each of them, and a proxy as many as it likes.
  if (!isPlainObject(set))
    throw invalidOption('set', 'The `set` of fork() must be a plain object, channel by channel.');
  if (graph !== undefined) {
    const what = `The edited state of fork "${runId}"`;
    const prepared = await validated(deadlineOf(parts), what, prepareValues(graph.channels, set));
    const applied = applyUpdates(graph.channels, values, [prepared]);
    return { values: applied.state, delta: applied.delta };
  }
  const next = new Map(values);
  const delta: Record<string, Deltas[string]> = {};
  for (const [name, value] of Object.entries(frozenCopy(set))) {
    if (!values.has(name)) {
      throw holdfastError(
        'HOLDFAST_UNKNOWN_CHANNEL',
        `No channel is named "${printable(name)}". The state has ${[...values.keys()].join(', ')}.`,
        {
          details: { channel: name, known: [...values.keys()] },
        },
      );
    }
    delta[name] = ['=', value];
    next.set(name, cellOf(value));
  }
  return { values: next, delta };
}

function checkNext(graph: CompiledGraph | undefined, next: readonly string[]): readonly string[] {
  const unknown = next.find((node) => graph !== undefined && !graph.nodes.has(node));
  if (unknown === undefined)
    return graph === undefined ? [...next] : [...graph.nodes.keys()].filter((node) => next.includes(node));
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `next has "${printable(unknown)}", which is not a node of "${graph?.name}".`,
    {
      details: { option: 'next' },
    },
  );
}

interface NewFork {
  readonly runId: string;
  readonly forkedAt: { readonly runId: string; readonly seq: number };
  readonly header: RunHeader;
  readonly state: RunState;
  readonly entries: readonly NewEntry[];
  readonly tags: unknown;
  readonly continues: boolean;
}

async function createFork({ store, env }: EngineParts, fork: NewFork): Promise<number | null> {
  const { runId, forkedAt, header, state, entries, tags, continues } = fork;
  const { graph } = header;
  const { version } = state;
  const now = env.clock.now();
  const derived = headerOf(state, now);
  const written: HeaderState = {
    ...derived,
    ...(continues ? derived.status === 'running' && { status: 'pending' } : suspended(derived)),
    tags: tags === undefined ? header.tags : checkTags(tags, store.bounds),
  };
  const of: NewRun = { kind: 'graph', graph, version, forkedAt, parentId: null, createdAt: now, worker: null };
  const outcome = await store.commit({
    runId,
    writer: { by: 'creator', of },
    expect: forkedAt.seq,
    entries,
    header: written,
  });
  if (outcome.ok) return written.wakeAt;
  if (outcome.why === 'exists') {
    throw holdfastError('HOLDFAST_ID_TAKEN', `Run "${runId}" already exists. Use another id for the fork.`, {
      details: { runId },
    });
  }
  throw holdfastError(
    'HOLDFAST_NOT_FOUND',
    `${forkedAt.runId}@${forkedAt.seq} cannot be forked: it was pruned or deleted.`,
    {
      details: { runId: forkedAt.runId, checkpoint: `${forkedAt.runId}@${forkedAt.seq}` },
    },
  );
}

/** A run that has ended keeps its status. Any other is suspended until it is resumed or answered. */
function suspended({ status }: Pick<HeaderState, 'status'>): Pick<HeaderState, 'status' | 'wakeAt'> {
  return { status: hasEnded({ status }) ? status : 'suspended', wakeAt: null };
}

/** Executes a new fork here if it is due and its code is available. Otherwise a worker does, or a wake timer starts it. */
async function continueHere({ env, worker, registry, changes, executes }: EngineParts, fork: ForkTimes): Promise<void> {
  const { runId, wakeAt } = fork;
  changes.tell(runId);
  if (!executes || !registry.has(fork)) return;
  if (wakeAt !== null && wakeAt <= env.clock.now()) await worker.continueRun(fork);
  else worker.wakeUps.park(fork, wakeAt ?? undefined);
}

type ForkTimes = Pick<RunHeader, 'runId' | 'head' | 'graph' | 'wakeAt'>;

function pendingEffect(runId: string, key: string): Error {
  return holdfastError(
    'HOLDFAST_PENDING_EFFECT',
    `Run "${runId}" started an effect (${key}) that may or may not have happened. A fork with edits would lose track of it: call settle() first.`,
    { details: { runId, key } },
  );
}
