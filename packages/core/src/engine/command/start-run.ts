import { validated } from '../../channel/validated.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { newMeter } from '../../history/snapshot-policy.ts';
import { contentOf } from '../../record/content-of.ts';
import { type NewEntry, placeEntry } from '../../record/record.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import type { RunSettings } from '../../runner/fold/payload.ts';
import { newRunState } from '../../runner/fold/run-state.ts';
import { findRun, loadRun } from '../../runner/load-run.ts';
import { headerOf } from '../../runner/plan/run-header.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import type { CommitOutcome } from '../../store/checked-store.ts';
import type { Located } from '../../store/contract/read.ts';
import type { HeaderState, NewRun, RunHeader } from '../../store/contract/run.ts';
import { checkTags } from '../../value/check/check-tags.ts';
import { checkRecordId, checkRunId } from '../../value/id.ts';
import type { RunOptions } from '../graph-run.ts';
import type { EngineParts } from '../parts.ts';
import { deadlineOf } from '../parts.ts';
import { type PreparedInput, prepareRunInput, runSettings, startPayload } from './prepare-start.ts';
import { checkRoom } from './queue-room.ts';

/** A run to start, or to continue if it exists. */
export interface StartRun {
  readonly graph: CompiledGraph;
  readonly input: unknown;
  readonly options: RunOptions;
  /** The id from the options, or a new one. */
  readonly runId?: string | undefined;
  /** Whether to execute the run here. */
  readonly here: boolean;
  readonly parentId?: string | undefined;
  readonly wakes?: string | undefined;
}

/** Where the journal stood when a start, or a turn, began. */
export interface Started {
  readonly runId: string;
  readonly cursor: string;
  /** False if the run already existed. */
  readonly isNew: boolean;
}

/**
 * Creates a run. Repeating the same start returns the same run; a different input or graph is refused.
 *
 * @throws HOLDFAST_INPUT_MISMATCH, HOLDFAST_INVALID_ID, HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_VALUE
 */
async function startRun(parts: EngineParts, start: StartRun): Promise<Started> {
  const { graph, options } = start;
  const runId = checkRunId(start.runId ?? options.id ?? parts.newId());
  const prepared = await validated(
    deadlineOf(parts),
    `The input of "${graph.name}"`,
    prepareRunInput(graph, start.input),
  );
  const settings = runSettings(graph, options);
  const turn = options.turn === undefined ? undefined : checkTurn(options, parts.newId);
  const found = await create(parts, start, { runId, turn, settings, prepared });
  return found === undefined
    ? { runId, cursor: '0', isNew: true }
    : continueFound(parts, start, { header: found, prepared, turn });
}

/** Starts a run here if that is wanted and there is room for it. Otherwise a worker begins it, this one when it has room. */
export async function startWithRoom(parts: EngineParts, start: StartRun): Promise<Started> {
  const endReservation = start.here ? parts.worker.admission.request() : undefined;
  try {
    const started = await startRun(parts, { ...start, here: endReservation !== undefined });
    if (start.here && endReservation === undefined) parts.changes.tell(started.runId);
    return started;
  } finally {
    endReservation?.();
  }
}

interface Creation {
  readonly runId: string;
  readonly turn: string | undefined;
  readonly settings: RunSettings | undefined;
  readonly prepared: PreparedInput;
}

/** Tries to create the run without reading first, because most runs are new. Returns the header of an existing run. */
async function create(parts: EngineParts, start: StartRun, creation: Creation): Promise<RunHeader | undefined> {
  const { runId, turn } = creation;
  let first: ReturnType<typeof startPayload>;
  try {
    first = startPayload({ ...creation, graph: start.graph, wakes: start.wakes });
  } catch (error) {
    // A route may refuse an input as the first one that it would accept as a later turn.
    const found = start.options.id === undefined ? undefined : await parts.store.header(runId);
    if (found === undefined) throw error;
    return found;
  }
  const { payload, values } = first;
  // Both learn the store's time.
  await (start.here ? parts.leases.alive() : parts.leases.knowTime());
  const at = parts.env.clock.now();
  const entries: NewEntry[] = [{ kind: 'run-start', at, payload, ...(turn !== undefined && { id: turnId(turn) }) }];
  if (payload.next.length === 0) entries.push({ kind: 'run-end', at, payload: { status: 'completed' } });
  return createRun(parts, start, { runId, entries, values });
}

interface FirstRecords {
  readonly runId: string;
  readonly entries: readonly NewEntry[];
  readonly values: ReturnType<typeof startPayload>['values'];
}

/** Writes the first records, and executes the run here if asked to. Returns the header of an existing run. */
async function createRun(
  parts: EngineParts,
  start: StartRun,
  { runId, entries, values }: FirstRecords,
): Promise<RunHeader | undefined> {
  const { store, env, leases } = parts;
  const { graph, options, here, parentId = null } = start;
  const now = env.clock.now();
  const state = newRunState(runId);
  entries.forEach((entry, at) => foldRecord(state, placeEntry(entry, runId, at + 1), at === 0 ? values : undefined));
  const isLeased = here && state.end === undefined;
  const of: NewRun = {
    kind: 'graph',
    graph: graph.name,
    version: graph.version,
    forkedAt: null,
    parentId,
    createdAt: now,
    worker: isLeased ? leases.worker : null,
  };
  const { status, superstep, frontier, waits, wakeAt } = headerOf(state, now);
  const header: HeaderState = {
    status: status === 'running' && !isLeased ? 'pending' : status,
    superstep,
    frontier,
    waits,
    wakeAt,
    tags: checkTags(options.tags, store.bounds),
  };
  const commit = (): Promise<CommitOutcome> =>
    store.commit({ runId, writer: { by: 'creator', of }, expect: 0, entries, header });
  const outcome = await (isLeased ? leases.create(runId, commit) : commit());
  if (!outcome.ok) {
    if (outcome.found !== undefined && !outcome.found.hidden) return outcome.found;
    throw holdfastError(
      'HOLDFAST_ID_TAKEN',
      `Run "${runId}" was deleted, but forks still need its records. Use another id.`,
      {
        details: { runId },
      },
    );
  }
  if (!isLeased) return undefined;
  const created = newHeader(runId, outcome, of, header);
  const lease = new RunLease({
    store,
    env,
    worker: leases,
    lapses: leases.lapses,
    header: created,
    state,
    meter: newMeter,
  });
  await parts.worker.execute(lease, created);
  return undefined;
}

/** The header of a run that was just created and is leased. */
function newHeader(
  runId: string,
  { head, epoch }: { readonly head: number; readonly epoch: number },
  of: NewRun,
  header: HeaderState,
): RunHeader {
  // Written out: spreading two objects here took 5% of a short run in memory.
  const { kind, graph, version, forkedAt, parentId, createdAt, worker } = of;
  const { status, superstep, frontier, waits, wakeAt, tags } = header;
  return {
    kind,
    graph,
    version,
    forkedAt,
    parentId,
    createdAt,
    worker,
    status,
    superstep,
    frontier,
    waits,
    wakeAt,
    tags,
    runId,
    head,
    floor: 0,
    updatedAt: createdAt,
    fence: 1,
    epoch,
    claims: 0,
    hidden: false,
    refusals: [],
  };
}

interface Found {
  readonly header: RunHeader;
  readonly prepared: PreparedInput;
  readonly turn: string | undefined;
}

/** Returns the existing run if its graph and input match. */
async function continueFound(parts: EngineParts, start: StartRun, found: Found): Promise<Started> {
  const { graph, here } = start;
  const { header, prepared, turn } = found;
  const { runId } = header;
  if (header.graph !== graph.name || header.kind === 'journal') throw otherRun(header);
  if (turn !== undefined) return takeTurn(parts, start, { ...found, turn });
  const { state } = await loadRun(parts.store, header);
  if (state.hash !== prepared.hash)
    throw mismatch(
      runId,
      'already exists with a different input. Pass `turn` for the next turn of the same run, or use another id.',
    );
  if (here) await parts.worker.continueRun(header);
  return { runId, cursor: '0', isNew: false };
}

/** Queues an input behind the earlier ones. Repeating a turn returns the same turn. */
async function takeTurn(
  parts: EngineParts,
  start: StartRun,
  given: Found & { readonly turn: string },
): Promise<Started> {
  const { store, env, writer } = parts;
  const { graph, options, here } = start;
  const { header, prepared, turn } = given;
  const { runId } = header;
  const id = turnId(turn);
  const settings = runSettings(graph, options);
  const seq = await writer.writeOn(runId, {
    read: () => findRun(store, runId, { id }),
    decide: (found) => {
      if (found === undefined || found.header.hidden)
        throw mismatch(runId, 'was deleted during the call. Start it again.');
      const { hash, update, input } = prepared;
      const payload = { turn, hash, update, ...(input !== undefined && { input }), ...(settings && { settings }) };
      const at = env.clock.now();
      const entry: NewEntry = { kind: 'message', id, at, payload };
      const { known, state } = found;
      // A fork drops the queued turns of its base: they may be asked for again.
      if (known !== undefined && !state.droppedTurns.includes(known.value.seq))
        return { done: sameTurn(known, entry, turn) };
      const status = state.end?.status;
      if (status === 'failed' || status === 'cancelled') throw ended(runId, status);
      checkRoom(parts, state);
      return {
        entries: [entry],
        header: status === 'completed' ? { status: 'pending', wakeAt: at } : {},
        answer: (first: number) => first,
      };
    },
  });
  if (here) await parts.worker.continueRun(header);
  return { runId, cursor: String(seq - 1), isNew: false };
}

function sameTurn({ runId, value: { seq, content } }: Located<KnownId>, entry: NewEntry, turn: string): number {
  if (content === contentOf(entry)) return seq;
  throw holdfastError(
    'HOLDFAST_INPUT_MISMATCH',
    `Turn "${turn}" of run "${runId}" already has a different input. Use another turn, or pass the same input.`,
    { details: { runId, turn } },
  );
}

/** The store keeps the id of a turn, so a repeat is found after the turn was pruned. */
function turnId(turn: string): string {
  return `turn:${turn}`;
}

function checkTurn({ id, turn }: RunOptions, newId: () => string): string {
  if (id === undefined) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'The option turn needs the id of a run. Pass id too.', {
      details: { option: 'turn' },
    });
  }
  return checkRecordId(turnId(turn === true ? newId() : String(turn))).slice('turn:'.length);
}

/** The error for a run that accepts no more writes. */
export function ended(runId: string, status: string): Error {
  const way = status === 'failed' ? 'Resume it first.' : status === 'completed' ? 'Start a new turn.' : '';
  return holdfastError('HOLDFAST_RUN_ENDED', `Run "${runId}" has ended (${status}). ${way}`.trimEnd(), {
    details: { runId, status },
  });
}

function otherRun({ runId, kind, graph }: RunHeader): Error {
  const what = kind === 'journal' ? 'a journal run' : `a run of "${graph}"`;
  return mismatch(runId, `already exists, but it is ${what}. Use another id.`);
}

function mismatch(runId: string, message: string): Error {
  return holdfastError('HOLDFAST_INPUT_MISMATCH', `Run "${runId}" ${message}`, { details: { runId } });
}
