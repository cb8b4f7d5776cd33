import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compiled-graph.ts';
import { newMeter } from '../../history/snapshot-policy.ts';
import { loadSegments } from '../../journal/lineage.ts';
import { findEntry } from '../../journal/read-entries.ts';
import { type Entry, type NewEntry, placeEntry } from '../../record/record.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { payloadOf } from '../../runner/fold/payload.ts';
import { newRunState } from '../../runner/fold/run-state.ts';
import { headerOf } from '../../runner/plan/run-header.ts';
import { checkTags } from '../../runner/task/task-calls.ts';
import type { HeaderState, NewRun, RunHeader } from '../../store/contract.ts';
import { checkRecordId, checkRunId } from '../../value/id.ts';
import type { EngineParts } from '../parts.ts';
import type { RunOptions } from '../run.ts';
import { type PreparedInput, prepareRunInput, runSettings, startPayload } from './prepare-start.ts';

/** A run to start, or to go on with if it is there. */
export interface StartRun {
  readonly graph: CompiledGraph;
  readonly input: unknown;
  readonly options: RunOptions;
  /** Executed here, from the first record on. */
  readonly here: boolean;
  readonly parent?: string | undefined;
  readonly wakes?: string | undefined;
}

/** Where the journal stood when a start, or a turn, began. */
export interface Started {
  readonly run: string;
  readonly cursor: string;
  /** False: it was there. */
  readonly isNew: boolean;
}

/**
 * Creates a run. The same start again finds it there; another input, or another graph, is refused.
 *
 * @throws HOLDFAST_OTHER_INPUT, HOLDFAST_INVALID_ID, HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_VALUE
 */
export async function startRun(parts: EngineParts, start: StartRun): Promise<Started> {
  const { graph, options } = start;
  const run = checkRunId(options.id ?? parts.newId());
  const prepared = await prepareRunInput(graph, start.input);
  const settings = runSettings(graph, options);
  const turn = options.turn === undefined ? undefined : checkTurn(options);
  const there = options.id === undefined ? undefined : await parts.store.header(run);
  if (there !== undefined) return findRun(parts, start, { header: there, prepared });
  const { payload, values } = startPayload({ graph, prepared, turn, settings, wakes: start.wakes });
  const at = parts.env.clock.now();
  const entries: NewEntry[] = [{ kind: 'run-start', at, payload, ...(turn !== undefined && { id: turnId(turn) }) }];
  if (payload.next.length === 0) entries.push({ kind: 'run-end', at, payload: { status: 'completed' } });
  const create = (): Promise<RunHeader | undefined> => createRun(parts, { run, start, entries, values });
  const found = await (start.here ? parts.worker.taking(create) : create());
  if (found !== undefined) return findRun(parts, start, { header: found, prepared });
  return { run, cursor: '0', isNew: true };
}

interface Creation {
  readonly run: string;
  readonly start: StartRun;
  readonly entries: readonly NewEntry[];
  readonly values: ReturnType<typeof startPayload>['values'];
}

/** Writes the first records, and executes the run here if it is to be; the header of a run that was faster. */
async function createRun(
  parts: EngineParts,
  { run, start, entries, values }: Creation,
): Promise<RunHeader | undefined> {
  const { store, env, worker } = parts;
  const { graph, options, here, parent = null } = start;
  const now = env.clock.now();
  const state = newRunState(run);
  entries.forEach((entry, at) => foldRecord(state, placeEntry(entry, run, at + 1), at === 0 ? values : undefined));
  const isHeld = here && state.end === undefined;
  if (isHeld) await worker.alive();
  const of: NewRun = {
    loop: false,
    graph: graph.name,
    version: graph.version,
    base: null,
    parent,
    createdAt: now,
    worker: isHeld ? worker.id : null,
  };
  const { status, step, frontier, waits, wakeAt } = headerOf(state, now);
  const header: HeaderState = {
    status: status === 'running' && !isHeld ? 'pending' : status,
    step,
    frontier,
    waits,
    wakeAt,
    tags: checkTags(options.tags),
  };
  const outcome = await store.commitAtOnce({ run, writer: { by: 'creator', of }, expect: 0, entries, header });
  if (!outcome.ok) {
    if (outcome.found !== undefined && !outcome.found.hidden) return outcome.found;
    throw holdfastError(
      'HOLDFAST_ID_TAKEN',
      `Run ${run} was deleted, but forks still stand on it. Choose another id.`,
      {
        details: { run },
      },
    );
  }
  if (!isHeld) return undefined;
  await worker.adopt(newHeader(run, outcome.head, of, header), { known: { state, meter: newMeter } });
  return undefined;
}

/** The header of a run that was just created. Written out, because every run has one, and objects made by spreading are slow. */
function newHeader(run: string, head: number, of: NewRun, header: HeaderState): RunHeader {
  return {
    run,
    loop: of.loop,
    graph: of.graph,
    version: of.version,
    base: of.base,
    parent: of.parent,
    createdAt: of.createdAt,
    worker: of.worker,
    status: header.status,
    step: header.step,
    frontier: header.frontier,
    waits: header.waits,
    wakeAt: header.wakeAt,
    tags: header.tags,
    head,
    floor: 0,
    updatedAt: of.createdAt,
    fence: 1,
    claims: 0,
    hidden: false,
    token: '',
  };
}

interface Found {
  readonly header: RunHeader;
  readonly prepared: PreparedInput;
}

/** The run that is there, if it is the one that was meant. */
async function findRun(parts: EngineParts, start: StartRun, { header, prepared }: Found): Promise<Started> {
  const { graph, options, here } = start;
  const { run } = header;
  if (header.graph !== graph.name || header.loop)
    throw otherRun(run, `it is a run of ${header.graph || 'an own loop'}`);
  if (options.turn !== undefined) return takeTurn(parts, start, { header, prepared });
  const { state } = await loadRun(parts.store, header);
  if (state.hash !== prepared.hash) throw otherRun(run, 'it was started with another input');
  if (here) await goOn(parts, header);
  return { run, cursor: '0', isNew: false };
}

/** Goes on with a run that is there and that nobody executes. */
async function goOn({ worker, env }: EngineParts, { run, wakeAt }: RunHeader): Promise<void> {
  if (wakeAt !== null && wakeAt <= env.clock.now()) await worker.claimOne(run);
}

/** Puts an input behind those that are there; the same turn again is the same turn. */
async function takeTurn(parts: EngineParts, start: StartRun, { header, prepared }: Found): Promise<Started> {
  const { store, env, writer } = parts;
  const { graph, options, here } = start;
  const { run } = header;
  const turn = checkTurn(options);
  const id = turnId(turn);
  const settings = runSettings(graph, options);
  const seq = await writer.write(run, async (now) => {
    if (now === undefined) throw otherRun(run, 'it was deleted just now');
    const known = await findEntry(store, await loadSegments(store, now), id);
    if (known !== undefined) return { done: sameTurn(known, prepared.hash, turn) };
    const { state } = await loadRun(store, now);
    const status = state.end?.status;
    if (status === 'failed' || status === 'cancelled') throw ended(run, status);
    const { hash, update, input } = prepared;
    const payload = { turn, hash, update, ...(input !== undefined && { input }), ...(settings && { settings }) };
    const at = env.clock.now();
    return {
      entries: [{ kind: 'message', id, at, payload }],
      header: status === 'completed' ? { status: 'pending', wakeAt: at } : {},
      answer: (first: number) => first,
    };
  });
  if (here) {
    const after = await store.header(run);
    if (after !== undefined) await goOn(parts, after);
  }
  return { run, cursor: String(seq - 1), isNew: false };
}

function sameTurn(entry: Entry, hash: string, turn: string): number {
  const payload = entry.kind === 'run-start' ? payloadOf(entry, 'run-start') : payloadOf(entry, 'message');
  if ('hash' in payload && payload.hash === hash) return entry.seq;
  throw holdfastError(
    'HOLDFAST_OTHER_INPUT',
    `Turn ${turn} of run ${entry.run} was begun with another input. Name another turn, or give the same input.`,
    { details: { run: entry.run, turn } },
  );
}

/** Turns have ids in the journal, so that one is found however long ago it was. */
function turnId(turn: string): string {
  return `turn:${turn}`;
}

function checkTurn({ id, turn }: RunOptions): string {
  if (id === undefined) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'A turn belongs to a run: give its id too.', {
      details: { option: 'turn' },
    });
  }
  return checkRecordId(turnId(String(turn))).slice('turn:'.length);
}

/** The error for a run that is not to be written to any more. */
export function ended(run: string, status: string): Error {
  const way = status === 'failed' ? 'Resume it first.' : status === 'completed' ? 'Give it a new turn.' : '';
  return holdfastError('HOLDFAST_RUN_ENDED', `Run ${run} has ended (${status}). ${way}`.trimEnd(), {
    details: { run, status },
  });
}

function otherRun(run: string, why: string): Error {
  return holdfastError('HOLDFAST_OTHER_INPUT', `Run ${run} is there, and ${why}. Choose another id.`, {
    details: { run },
  });
}
