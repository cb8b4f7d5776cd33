import type { Env } from '../env/env.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { HeaderState, NewRun } from '../store/contract/run.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRunId } from '../value/id.ts';
import { sortableIds } from '../value/sortable-id.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { SavedBody, SavedHead } from './saved-checkpoint.ts';

/** What a fork may differ in from the checkpoint that it begins with. */
export interface ForkOptions {
  /** Values, not updates; only for what the state has. */
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
  readonly load: (id: string) => Promise<Checkpoint | undefined>;
}

/** A new run whose first checkpoint points at another run's: nothing is copied but what is set. */
export async function forkCheckpoint({ store, env, from, options, load }: ForkCheckpointOptions): Promise<string> {
  const { set = {}, id = sortableIds({ now: () => env.clock.now(), random: env.random })() } = options;
  const runId = checkRunId(id);
  const base = await load(from);
  if (base === undefined) throw noCheckpoint(from);
  refuseUnknown(base, set);
  const { seq, covers, workflow, superstep, next, metadata } = base;
  const label = options.label ?? `fork-of:${base.runId}`;
  const at = env.clock.now();
  const head: SavedHead = { workflow, superstep, label, next, status: 'running', metadata, at };
  const body: SavedBody = { from: { runId: base.runId, covers, seq }, set: frozenCopy(set) };
  const of: NewRun = { ...newFork, graph: workflow, forkedAt: { runId: base.runId, seq }, createdAt: at };
  const header: HeaderState = { status: 'running', superstep, frontier: next, waits: [], wakeAt: null, tags: {} };
  const outcome = await store.commit({
    runId,
    writer: { by: 'creator', of },
    expect: seq,
    entries: [{ kind: 'fork', at, labels: ['checkpoint'], meta: { covers: seq, superstep, label, from: base.id } }],
    header,
    snapshot: { covers: seq, head, body },
  });
  if (outcome.ok) return runId;
  throw outcome.why === 'exists' ? taken(runId) : noCheckpoint(from);
}

const newFork = { kind: 'journal', version: 0, parentId: null, worker: null } as const;

function refuseUnknown({ id, state }: Checkpoint, set: Readonly<Record<string, unknown>>): void {
  for (const [channel, value] of Object.entries(set)) {
    if (Object.hasOwn(state, channel) && value !== undefined) continue;
    const why = value === undefined ? 'is set to undefined' : 'is not in its state';
    const known = Object.keys(state).join(', ');
    throw holdfastError(
      'HOLDFAST_UNKNOWN_CHANNEL',
      `The fork of ${id} cannot set ${JSON.stringify(channel)}: it ${why}. The state has: ${known}.`,
      { details: { checkpoint: id, channel } },
    );
  }
}

function noCheckpoint(from: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_NOT_FOUND',
    `There is no checkpoint ${from} to fork from; list() shows those there are.`,
    {
      details: { checkpoint: from },
    },
  );
}

function taken(runId: string): HoldfastError {
  return holdfastError('HOLDFAST_ID_TAKEN', `A run ${runId} is there already. Choose another id for the fork.`, {
    details: { runId },
  });
}
