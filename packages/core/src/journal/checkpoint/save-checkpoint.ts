import type { Env } from '../../env/env.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { isTerminal } from '../../history/terminal.ts';
import { contentOf } from '../../record/content-of.ts';
import type { NewEntry } from '../../record/record.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { Located } from '../../store/contract/read.ts';
import type { RunHeader, RunStatus } from '../../store/contract/run.ts';
import { hashValue } from '../../value/codec/canonical.ts';
import { formatCursor } from '../../value/cursor.ts';
import { checkRunId } from '../../value/id.ts';
import { loadJournal } from '../lineage.ts';
import type { Decision, RunWriter } from '../run-writer.ts';
import { checkNewCheckpoint, type GivenCheckpoint } from './check-new-checkpoint.ts';
import type { CheckpointStatus, NewCheckpoint } from './checkpoint.ts';
import { graphRun } from './checkpoint-index.ts';
import type { SavedBody, SavedHead } from './saved-checkpoint.ts';

/** The result of `save`. */
export interface SavedCheckpoint {
  /** `run@seq`. */
  readonly id: string;
  readonly covers: number;
  readonly terminal: boolean;
}

interface SaveOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
  readonly runId: string;
  readonly checkpoint: NewCheckpoint;
}

/** Saves a checkpoint of a journal run: its record and its snapshot, in one commit. */
export async function saveCheckpoint({ store, env, writer, runId, checkpoint }: SaveOptions): Promise<SavedCheckpoint> {
  checkRunId(runId);
  const given = checkNewCheckpoint(checkpoint);
  // Only a checkpoint with an id can be saved twice, so only then the content is compared.
  const content = given.id === undefined ? undefined : hashValue(given);
  return writer.writeOn(runId, {
    read: () => loadJournal(store, runId, { id: given.id }),
    decide: (found) => {
      const header = found?.header;
      if (header?.kind === 'graph') throw graphRun(runId);
      if (found?.known !== undefined) return { done: sameAgain(found.known, content, given) };
      return decide({ runId, header, given, content, at: env.clock.now() });
    },
  });
}

interface DecideOptions {
  readonly runId: string;
  readonly header: RunHeader | undefined;
  readonly given: GivenCheckpoint;
  readonly content: string | undefined;
  readonly at: number;
}

function decide({ runId, header, given, content, at }: DecideOptions): Decision<SavedCheckpoint> {
  const { state, id, workflow, next, label, status, metadata } = given;
  const latest = header?.head ?? 0;
  const covers = given.covers ?? latest;
  if (covers > latest) throw coversTooMuch(runId, covers, latest);
  const superstep = given.superstep ?? (header?.superstep ?? 0) + 1;
  const head: SavedHead = { workflow: workflow || (header?.graph ?? ''), superstep, label, next, status, metadata, at };
  const body: SavedBody = { state };
  const entry: NewEntry = {
    kind: 'checkpoint',
    at,
    id,
    labels: ['checkpoint'],
    // Readers of the journal see what was saved, and by whom, without loading the checkpoint.
    meta: { covers, superstep, label, status, ...metadata, content },
  };
  return {
    entries: [entry],
    header: { status: runStatusOf(status), superstep, frontier: next },
    snapshot: { covers, head, body },
    workflow,
    answer: (seq) => ({ id: formatCursor(runId, seq), covers, terminal: isTerminal(status) }),
  };
}

/** The header knows only the built-in statuses: an end of the run's own is `completed` there. */
function runStatusOf(status: CheckpointStatus): RunStatus {
  const name = status.toLowerCase();
  if (!isTerminal(name)) return name as RunStatus;
  return name === 'failed' || name === 'cancelled' ? name : 'completed';
}

function sameAgain(
  { runId, value: known }: Located<KnownId>,
  content: string | undefined,
  { id, covers, status }: GivenCheckpoint,
): SavedCheckpoint {
  const cursor = formatCursor(runId, known.seq);
  if (known.content === contentOf({ kind: 'checkpoint', at: known.at, meta: { content } })) {
    // What it covers if it does not say so: everything before it.
    return { id: cursor, covers: covers ?? known.seq - 1, terminal: isTerminal(status) };
  }
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Record ${cursor} already has the id "${id}" with different content. Use another id.`,
    { details: { runId, id, cursor } },
  );
}

function coversTooMuch(runId: string, covers: number, latest: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_COVERS_TOO_MUCH',
    `The checkpoint covers ${covers} records, but the journal of run "${runId}" has only ${latest}.`,
    { details: { runId, covers, latest } },
  );
}
