import type { Deltas } from '../../delta/delta.ts';
import type { Env } from '../../env/env.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { foldDeltas } from '../../history/fold.ts';
import type { Segment } from '../../history/lineage.ts';
import { snapshotBody, stateOfValues } from '../../history/snapshot-body.ts';
import { isTerminal } from '../../history/terminal.ts';
import { contentOf } from '../../record/content-of.ts';
import type { NewEntry } from '../../record/record.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader, RunStatus } from '../../store/contract/run.ts';
import { hashValue } from '../../value/codec/canonical.ts';
import { formatCursor } from '../../value/cursor.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRunId } from '../../value/id.ts';
import { entryAt } from '../read-entries.ts';
import { loadJournal } from '../run-journal.ts';
import { refuseRunOptions } from '../run-options.ts';
import type { Decision, RunWriter } from '../run-writer.ts';
import type { Placed } from '../walk-snapshots.ts';
import { type Aliased, findAliased, nextVersion } from './alias.ts';
import { checkNewCheckpoint, type GivenCheckpoint } from './check-new-checkpoint.ts';
import type { CheckpointStatus, NewCheckpoint } from './checkpoint.ts';
import { findPlaced, graphRun, noCheckpoint } from './checkpoint-index.ts';
import { planStorage, type StoragePlan } from './plan-storage.ts';
import type { RecentStates } from './recent-states.ts';
import { restoreFrozen } from './restore-state.ts';
import { packHead, type SavedFacts, type State, savedHead } from './saved-checkpoint.ts';

/**
 * The result of `save`.
 *
 * @example
 * ```ts
 * const { id, covers } = await engine.checkpoints.save('trip', { state: { stage: 'booked' } });
 * ```
 */
export interface SavedCheckpoint {
  /** `run@seq`. */
  readonly id: string;
  readonly covers: number;
  readonly terminal: boolean;
}

/** What saving needs. */
export interface SaveContext {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
  readonly recent: RecentStates;
}

/** Saves a checkpoint of a journal run: its record, and its state or what changed, in one commit. */
export async function saveCheckpoint(
  context: SaveContext,
  runId: string,
  checkpoint: NewCheckpoint,
): Promise<SavedCheckpoint> {
  const { store, writer } = context;
  checkRunId(runId);
  // Copied before anything is awaited: the caller may change its object in the meantime.
  const given = checkNewCheckpoint(checkpoint, { bounds: store.bounds, like: context.recent.lastOf(runId) });
  // Only a checkpoint with an id can be saved twice, so only then the content is compared.
  const content = given.id === undefined ? undefined : contentHash(given);
  return writer.writeOn(runId, {
    read: () => loadJournal(store, runId, { id: given.id }),
    decide: async (found) => {
      const header = found?.header;
      if (header?.kind === 'graph') throw graphRun(runId);
      const segments = found?.segments ?? [];
      const named = given.id === undefined ? undefined : { alias: given.id, known: found?.known };
      const before = named && (await findAliased(store, segments, named));
      if (before !== undefined) {
        if (isSameAgain(before, content)) return { done: savedBefore(before, given) };
        await refuseTaken(store, segments, before, given);
      }
      return decide({ context, runId, header, segments, given, content, before });
    },
  });
}

interface DecideOptions {
  readonly context: SaveContext;
  readonly runId: string;
  readonly header: RunHeader | undefined;
  readonly segments: readonly Segment[];
  readonly given: GivenCheckpoint;
  readonly content: string | undefined;
  /** The checkpoint that this one replaces. */
  readonly before: Aliased | undefined;
}

async function decide(options: DecideOptions): Promise<Decision<SavedCheckpoint>> {
  const { context, runId, header, segments, given, content, before } = options;
  const { graph, next, label, status, metadata, run } = given;
  const latest = header?.head ?? 0;
  const covers = given.covers ?? latest;
  if (covers > latest) throw coversTooMuch(runId, covers, latest);
  if (covers < (header?.floor ?? 0)) throw coversPruned(runId, covers, header?.floor ?? 0);
  refuseRunOptions(runId, header, run);
  const { plan, on, follows } = await planOf(context, { runId, segments, given });
  const superstep = given.superstep ?? (header?.superstep ?? 0) + 1;
  const at = context.env.clock.now();
  const facts: SavedFacts = {
    graph: graph || (header?.graph ?? ''),
    superstep,
    label,
    next,
    status,
    metadata,
    at,
  };
  const { id, alias } = given.id === undefined ? {} : nextVersion(given.id, before);
  const stamp = stampOf(context.env);
  const entry: NewEntry = {
    kind: 'checkpoint',
    at,
    id,
    labels: ['checkpoint'],
    // Readers of the journal see what was saved, and by whom, without loading the checkpoint.
    meta: { covers, superstep, label, status, ...metadata, content, alias },
  };
  return {
    entries: [entry],
    header: { status: runStatusOf(status), superstep, frontier: next, ...(run.tags && { tags: run.tags }) },
    snapshot: {
      covers,
      head: packHead(facts, { ...plan.storage, stamp, on, alias: given.id }),
      body: plan.body,
    },
    graph,
    parentId: run.parentId,
    answer: (seq) => {
      const saved = formatCursor(runId, seq);
      context.recent.put(runId, { key: cacheKey(saved, stamp), state: plan.state, follows });
      return { id: saved, covers, terminal: isTerminal(status) };
    },
  };
}

interface Planned {
  readonly plan: StoragePlan;
  /** The seq of the base that the caller named. */
  readonly on: number | undefined;
  /** The kept state that nobody needs to compare with any more. */
  readonly follows: string | undefined;
}

interface PlanOptions {
  readonly runId: string;
  readonly segments: readonly Segment[];
  readonly given: GivenCheckpoint;
}

/**
 * Compares the state with the base that the caller named, or with the latest checkpoint of the run. A base in a run that
 * this one was forked from is compared only if it must be: pruning that run does not look at the changes in its forks.
 */
async function planOf(context: SaveContext, { runId, segments, given }: PlanOptions): Promise<Planned> {
  const { store } = context;
  const named = given.base === undefined ? undefined : await findPlaced(store, segments, given.base);
  if (given.base !== undefined && named === undefined) throw noCheckpoint(given.base);
  const on = named?.snapshot.seq;
  const changed = given.change && (await changedState(context, named as Placed, given.change));
  const isOwn = named?.runId === runId;
  const base = isOwn ? named : await latestOwn(store, runId);
  const saved = base && savedHead(base);
  const before = base && (await stateToCompare(context, base));
  const follows = isOwn || base === undefined ? undefined : keyOf(base);
  const storageBase =
    saved === undefined || base === undefined || before === undefined
      ? undefined
      : { key: base.snapshot, state: before, depth: saved.depth, since: saved.since };
  const state = changed ?? given.state ?? {};
  return { plan: planStorage(storageBase, state, isOwn ? given.change : undefined), on, follows };
}

async function latestOwn(store: CheckedStore, runId: string): Promise<Placed | undefined> {
  const [snapshot] = await store.snapshots({ runId, limit: 1, bodies: false });
  return snapshot && { runId, snapshot };
}

/** Undefined if it cannot be read: then nothing is built on it. */
async function stateToCompare(context: SaveContext, base: Placed): Promise<State | undefined> {
  try {
    return await frozenStateOf(context, base);
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_CORRUPT')) return undefined;
    throw error;
  }
}

/** Our own copy of a state: never the caller's object, which may have changed since. */
async function frozenStateOf({ store, recent }: SaveContext, placed: Placed): Promise<State> {
  const key = keyOf(placed);
  return (key === undefined ? undefined : recent.get(key)) ?? restoreFrozen(store, placed);
}

/** @throws HOLDFAST_INVALID_OPTION if the change does not fit */
async function changedState(context: SaveContext, named: Placed, change: Deltas): Promise<State> {
  const state = await frozenStateOf(context, named);
  try {
    return frozenCopy(snapshotBody(foldDeltas(stateOfValues(state), [change])).values);
  } catch (cause) {
    if (!HoldfastError.is(cause, 'HOLDFAST_CORRUPT')) throw cause;
    const id = formatCursor(named.runId, named.snapshot.seq);
    throw holdfastError('HOLDFAST_INVALID_OPTION', `The change does not fit the state of checkpoint ${id}.`, {
      details: { option: 'change', checkpoint: id },
      cause,
    });
  }
}

function keyOf(placed: Placed): string | undefined {
  const stamp = savedHead(placed)?.stamp ?? '';
  return stamp === '' ? undefined : cacheKey(formatCursor(placed.runId, placed.snapshot.seq), stamp);
}

function cacheKey(id: string, stamp: string): string {
  return `${id} ${stamp}`;
}

/** Short, because every checkpoint has one. */
export function stampOf({ random }: Pick<Env, 'random'>): string {
  return Math.floor(random() * 2 ** 40).toString(36);
}

/** The header knows only the built-in statuses: an end of the run's own is `completed` there. */
function runStatusOf(status: CheckpointStatus): RunStatus {
  const name = status.toLowerCase();
  if (!isTerminal(name)) return name as RunStatus;
  return name === 'failed' || name === 'cancelled' ? name : 'completed';
}

/** What was saved, apart from how: the same again is the same, whether it may replace something or not. */
function contentHash({ replace: _, run: __, ...content }: GivenCheckpoint): string {
  return hashValue(content);
}

function isSameAgain({ known: { value } }: Aliased, content: string | undefined): boolean {
  return value.content === contentOf({ kind: 'checkpoint', at: value.at, meta: { content } });
}

/** @throws HOLDFAST_ID_TAKEN when something else has the id and may not be replaced */
async function refuseTaken(
  store: CheckedStore,
  segments: readonly Segment[],
  { known }: Aliased,
  { id, replace }: GivenCheckpoint,
): Promise<void> {
  const { runId } = known;
  const entry = await entryAt(store, segments, known.value.seq);
  // Nothing is lost by replacing a record that was pruned, whatever it was.
  const isCheckpoint = entry === undefined || entry.kind === 'checkpoint';
  if (replace && isCheckpoint) return;
  const cursor = formatCursor(runId, known.value.seq);
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Record ${cursor} already has the id "${id}" with different content. Use another id${isCheckpoint ? ', or save with replace: true' : ''}.`,
    { details: { runId, id, cursor } },
  );
}

function savedBefore({ known: { runId, value } }: Aliased, { covers, status }: GivenCheckpoint): SavedCheckpoint {
  // What it covers if it does not say so: everything before it.
  return {
    id: formatCursor(runId, value.seq),
    covers: covers ?? value.seq - 1,
    terminal: isTerminal(status),
  };
}

function coversTooMuch(runId: string, covers: number, latest: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_COVERS_TOO_MUCH',
    `The checkpoint covers ${covers} records, but the journal of run "${runId}" has only ${latest}.`,
    { details: { runId, covers, latest } },
  );
}

function coversPruned(runId: string, covers: number, floor: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `The checkpoint covers ${covers} records, but those of run "${runId}" up to ${floor} were pruned. Cover at least ${floor}.`,
    { details: { runId, covers, floor } },
  );
}
