import { weigh } from '../../delta/weigh.ts';
import type { Env } from '../../env/env.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { addStep } from '../../history/snapshot-policy.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { HeaderState, NewRun } from '../../store/contract/run.ts';
import { checkOptions, invalidOption } from '../../value/check/check-options.ts';
import { checkText } from '../../value/check/check-text.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRunId } from '../../value/id.ts';
import { sortableIds } from '../../value/sortable-id.ts';
import type { Checkpoint } from './checkpoint.ts';
import { loadCheckpoint, noCheckpoint } from './checkpoint-index.ts';
import { stampOf } from './save-checkpoint.ts';
import { packHead, type SavedBody, type SavedFacts, type Storage, savedHead } from './saved-checkpoint.ts';

/**
 * How a fork differs from the checkpoint that it begins with.
 *
 * @example
 * ```ts
 * const forkId = await engine.checkpoints.fork('trip@4', { set: { stage: 'paid' }, label: 'what if' });
 * ```
 */
export interface ForkOptions {
  /** New values of channels that the state has. */
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** The new run's id. */
  readonly id?: string | undefined;
  /** Default `fork-of:RUN`. */
  readonly label?: string | undefined;
}

interface ForkCheckpointOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  /** A checkpoint's id. */
  readonly from: string;
  readonly options: ForkOptions;
}

/** Creates a run whose first checkpoint points at another run's: only the new values are stored. */
export async function forkCheckpoint({ store, env, from, options }: ForkCheckpointOptions): Promise<string> {
  const known = { set: true, id: true, label: true } as const;
  const { set = {}, id = newId(env), label: given } = checkOptions('checkpoints.fork()', options, known);
  if (!isPlainObject(set)) throw invalidOption('set', 'The set of checkpoints.fork() must be an object of new values.');
  const runId = checkRunId(id);
  const base = await loadCheckpoint({ store, env }, from);
  if (base === undefined) throw noCheckpoint(from);
  refuseUnknown(base, set);
  const { seq, covers, graph, superstep, next, metadata } = base;
  const label = given === undefined ? `fork-of:${base.runId}` : checkText('label', given);
  const at = env.clock.now();
  const facts: SavedFacts = { graph, superstep, label, next, status: 'running', metadata, at };
  const body: SavedBody = { from: { runId: base.runId, covers, seq }, set: frozenCopy(set) };
  const { depth = 0, since = 0 } = await storageOf(store, base);
  const storage = { stamp: stampOf(env), depth: depth + 1, since: addStep({ since, mark: 0 }, weigh(body.set)).since };
  const of: NewRun = { ...newFork, graph, forkedAt: { runId: base.runId, seq }, createdAt: at };
  const header: HeaderState = { status: 'running', superstep, frontier: next, waits: [], wakeAt: null, tags: {} };
  const outcome = await store.commit({
    runId,
    writer: { by: 'creator', of },
    expect: seq,
    entries: [{ kind: 'fork', at, labels: ['checkpoint'], meta: { covers: seq, superstep, label, from: base.id } }],
    header,
    snapshot: { covers: seq, head: packHead(facts, storage), body },
  });
  if (outcome.ok) return runId;
  throw outcome.why === 'exists' ? taken(runId) : noCheckpoint(from);
}

function newId({ clock, random }: Env): string {
  return sortableIds({ now: () => clock.now(), random })();
}

const newFork = { kind: 'journal', version: 0, parentId: null, worker: null } as const;

/** How the checkpoint is stored that a fork begins with. */
async function storageOf(store: CheckedStore, { runId, covers, seq }: Checkpoint): Promise<Partial<Storage>> {
  const query = { runId, covers, before: { covers, seq: seq + 1 }, limit: 1, bodies: false };
  const [snapshot] = await store.snapshots(query);
  return snapshot?.seq === seq ? (savedHead({ runId, snapshot }) ?? {}) : {};
}

function refuseUnknown({ id, state }: Checkpoint, set: Readonly<Record<string, unknown>>): void {
  for (const [channel, value] of Object.entries(set)) {
    if (Object.hasOwn(state, channel) && value !== undefined) continue;
    const why = value === undefined ? 'its new value is undefined' : 'the state has no such channel';
    const known = Object.keys(state).join(', ');
    throw holdfastError(
      'HOLDFAST_UNKNOWN_CHANNEL',
      `A fork of ${id} cannot set the channel ${JSON.stringify(channel)}: ${why}. The channels are ${known}.`,
      { details: { checkpoint: id, channel } },
    );
  }
}

function taken(runId: string): HoldfastError {
  return holdfastError('HOLDFAST_ID_TAKEN', `Run "${runId}" already exists. Use another id for the fork.`, {
    details: { runId },
  });
}
