import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { isTerminal } from '../history/terminal.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../value/id.ts';
import type { CheckpointMetadata, CheckpointStatus, NewCheckpoint } from './checkpoint.ts';

const keys = new Set(['state', 'id', 'workflow', 'superstep', 'covers', 'next', 'label', 'status', 'metadata']);
const metadataKeys = new Set(['version', 'inFlightTasks', 'reason', 'writer', 'custom']);
const statuses = new Set(['pending', 'running', 'waiting']);

/** A checkpoint with its defaults, copied, so that nothing a caller changes later is saved. */
export interface GivenCheckpoint {
  readonly state: Readonly<Record<string, unknown>>;
  readonly id: string | undefined;
  readonly workflow: string;
  readonly superstep: number | undefined;
  readonly covers: number | undefined;
  readonly next: readonly string[];
  readonly label: string;
  readonly status: CheckpointStatus;
  readonly metadata: CheckpointMetadata;
}

/** Checks what a user's own loop saves. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID, HOLDFAST_UNSERIALIZABLE */
export function checkNewCheckpoint(checkpoint: NewCheckpoint): GivenCheckpoint {
  if (!isObject(checkpoint)) throw refused('A checkpoint is an object with a state.');
  refuseStrays(checkpoint, keys, 'A checkpoint');
  const { state, id, workflow = '', superstep, covers, next = [], label = '', status = 'running' } = checkpoint;
  if (!isObject(state)) throw refused("A checkpoint's state is a plain object, one key a channel.");
  if (id !== undefined) checkRecordId(id);
  if (typeof workflow !== 'string') throw refused("A checkpoint's workflow is a text.");
  if (typeof label !== 'string') throw refused("A checkpoint's label is a text.");
  checkCount('superstep', superstep);
  checkCount('covers', covers);
  if (!Array.isArray(next) || !next.every((node) => typeof node === 'string')) {
    throw refused("A checkpoint's next is a list of node names.");
  }
  if (!isStatus(status)) {
    throw refused("A checkpoint's status is that of a run, or an end of your own: terminal:NAME.");
  }
  const metadata = metadataOf(checkpoint.metadata ?? {});
  return frozenCopy({ state, id, workflow, superstep, covers, next, label, status, metadata });
}

function metadataOf(given: Partial<CheckpointMetadata>): CheckpointMetadata {
  if (!isObject(given)) throw refused("A checkpoint's metadata is an object.");
  refuseStrays(given, metadataKeys, "A checkpoint's metadata");
  const metadata = { version: 1, inFlightTasks: 0, ...given };
  checkCount('metadata.version', metadata.version);
  checkCount('metadata.inFlightTasks', metadata.inFlightTasks);
  return metadata;
}

function isStatus(status: unknown): status is CheckpointStatus {
  return typeof status === 'string' && (statuses.has(status) || (isTerminal(status) && status !== 'terminal:'));
}

function checkCount(name: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  throw refused(`A checkpoint's ${name} is a number: 0, 1, 2, …`);
}

function refuseStrays(value: object, known: ReadonlySet<string>, what: string): void {
  const stray = Object.keys(value).find((key) => !known.has(key));
  if (stray !== undefined)
    throw refused(`${what} has no ${JSON.stringify(stray)}; known are ${[...known].join(', ')}.`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(message: string): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
