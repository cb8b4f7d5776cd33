import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { isTerminal } from '../../history/terminal.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../../value/id.ts';
import type { CheckpointMetadata, CheckpointStatus, NewCheckpoint } from './checkpoint.ts';

const keys = new Set(['state', 'id', 'workflow', 'superstep', 'covers', 'next', 'label', 'status', 'metadata']);
const metadataKeys = new Set(['version', 'inFlightTasks', 'reason', 'writer', 'custom']);
const statuses = new Set(['pending', 'running', 'waiting']);

/** A copy of the checkpoint with its defaults: later changes by the caller have no effect. */
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

/** Checks a checkpoint before it is saved. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID, HOLDFAST_UNSERIALIZABLE */
export function checkNewCheckpoint(checkpoint: NewCheckpoint): GivenCheckpoint {
  if (!isObject(checkpoint)) throw invalid('A checkpoint must be an object with a state.');
  refuseUnknown(checkpoint, keys, 'A checkpoint');
  const { state, id, workflow = '', superstep, covers, next = [], label = '', status = 'running' } = checkpoint;
  if (!isObject(state)) throw invalid("A checkpoint's state must be an object with one key per channel.");
  if (id !== undefined) checkRecordId(id);
  if (typeof workflow !== 'string') throw invalid("A checkpoint's workflow must be a string.");
  if (typeof label !== 'string') throw invalid("A checkpoint's label must be a string.");
  checkCount('superstep', superstep);
  checkCount('covers', covers);
  if (!Array.isArray(next) || !next.every((node) => typeof node === 'string')) {
    throw invalid("A checkpoint's next must be an array of node names.");
  }
  if (!isStatus(status)) {
    throw invalid("A checkpoint's status must be a run status, or terminal:NAME for an end of your own.");
  }
  const metadata = metadataOf(checkpoint.metadata ?? {});
  return frozenCopy({ state, id, workflow, superstep, covers, next, label, status, metadata });
}

function metadataOf(given: Partial<CheckpointMetadata>): CheckpointMetadata {
  if (!isObject(given)) throw invalid("A checkpoint's metadata must be an object.");
  refuseUnknown(given, metadataKeys, "A checkpoint's metadata");
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
  throw invalid(`A checkpoint's ${name} must be a whole number, 0 or more.`);
}

function refuseUnknown(value: object, known: ReadonlySet<string>, what: string): void {
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw invalid(`${what} has no field ${JSON.stringify(unknown)}. It has ${[...known].join(', ')}.`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
