import type { Env } from '../env/env.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { isTerminal } from '../history/terminal.ts';
import type { Entry, NewEntry } from '../record/record.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader, RunStatus } from '../store/contract.ts';
import { hashValue } from '../value/canonical.ts';
import { formatCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import { checkNewCheckpoint, type GivenCheckpoint } from './check-new-checkpoint.ts';
import type { CheckpointStatus, NewCheckpoint } from './checkpoint.ts';
import { engineRun } from './checkpoint-index.ts';
import { loadSegments } from './lineage.ts';
import { findEntry } from './read-entries.ts';
import type { Decision, RunWriter } from './run-writer.ts';
import type { SavedBody, SavedHead } from './saved-checkpoint.ts';

/** What `save` answers. */
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
  readonly run: string;
  readonly checkpoint: NewCheckpoint;
}

/** Saves a checkpoint of an own loop: its record and its snapshot in one commit, checked against the journal as it is then. */
export async function saveCheckpoint({ store, env, writer, run, checkpoint }: SaveOptions): Promise<SavedCheckpoint> {
  checkRunId(run);
  const given = checkNewCheckpoint(checkpoint);
  // Only a chosen id can come twice, and only then is what was given compared.
  const content = given.id === undefined ? undefined : hashValue(given);
  return writer.write(run, async (header) => {
    if (header !== undefined && !header.loop) throw engineRun(run);
    const known = given.id && header && (await findEntry(store, await loadSegments(store, header), given.id));
    if (known) return { done: sameAgain(known, content, given.status) };
    return decide({ run, header, given, content, at: env.clock.now() });
  });
}

interface DecideOptions {
  readonly run: string;
  readonly header: RunHeader | undefined;
  readonly given: GivenCheckpoint;
  readonly content: string | undefined;
  readonly at: number;
}

function decide({ run, header, given, content, at }: DecideOptions): Decision<SavedCheckpoint> {
  const { state, id, workflow, next, label, status, metadata } = given;
  const latest = header?.head ?? 0;
  const covers = given.covers ?? latest;
  if (covers > latest) throw coversTooMuch(run, covers, latest);
  const step = given.step ?? (header?.step ?? 0) + 1;
  const head: SavedHead = { workflow: workflow || (header?.graph ?? ''), step, label, next, status, metadata, at };
  const body: SavedBody = { state };
  const entry: NewEntry = {
    kind: 'checkpoint',
    at,
    id,
    tags: ['checkpoint'],
    // Whoever reads the journal sees what was saved, and by whom, without loading the checkpoint.
    meta: { covers, step, label, status, ...metadata, content },
  };
  return {
    entries: [entry],
    header: { status: runStatusOf(status), step, frontier: next },
    snapshot: { covers, head, body },
    workflow,
    answer: (seq) => ({ id: formatCursor(run, seq), covers, terminal: isTerminal(status) }),
  };
}

/** An end of the loop's own is an end all the same: the header has only the statuses that everyone knows. */
function runStatusOf(status: CheckpointStatus): RunStatus {
  const name = status.toLowerCase();
  if (!isTerminal(name)) return name as RunStatus;
  return name === 'failed' || name === 'cancelled' ? name : 'completed';
}

function sameAgain(known: Entry, content: string | undefined, status: CheckpointStatus): SavedCheckpoint {
  const { run, seq, id, meta } = known;
  if (meta['content'] === content && known.kind === 'checkpoint') {
    return { id: formatCursor(run, seq), covers: meta['covers'] as number, terminal: isTerminal(status) };
  }
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `The id ${id} is taken by ${formatCursor(run, seq)}, which has other content. Choose another id.`,
    { details: { run, id, cursor: formatCursor(run, seq) } },
  );
}

function coversTooMuch(run: string, covers: number, latest: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_COVERS_TOO_MUCH',
    `The checkpoint says that it covers ${covers} records of run ${run}, whose journal has ${latest}.`,
    { details: { run, covers, latest } },
  );
}
