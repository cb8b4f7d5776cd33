import { type Deltas, parseDeltas } from '../../delta/delta.ts';
import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { isTerminal } from '../../history/terminal.ts';
import type { Bounds } from '../../value/bounds.ts';
import { isLabel } from '../../value/data-shape.ts';
import { frozenCopy, frozenCopyLike } from '../../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../../value/id.ts';
import { type CheckedRunOptions, checkRunOptions } from '../run-options.ts';
import type { CheckpointMetadata, CheckpointStatus, NewCheckpoint } from './checkpoint.ts';
import type { State } from './saved-checkpoint.ts';

const keys = new Set([
  'state',
  'base',
  'change',
  'id',
  'replace',
  'graph',
  'superstep',
  'covers',
  'next',
  'label',
  'status',
  'metadata',
  'tags',
  'parentId',
]);
const metadataKeys = new Set(['version', 'inFlightTasks', 'reason', 'writer', 'custom']);
/** Of texts that are in a run's header. */
const labelRule = 'of at most 256 characters, without NUL or lone surrogates';
const statuses = new Set(['pending', 'running', 'waiting']);

/** A copy of the checkpoint with its defaults: later changes by the caller have no effect. */
export interface GivenCheckpoint {
  /** Undefined if a change was given. */
  readonly state: Readonly<Record<string, unknown>> | undefined;
  readonly base: string | undefined;
  readonly change: Deltas | undefined;
  readonly id: string | undefined;
  readonly replace: boolean;
  readonly run: CheckedRunOptions;
  readonly graph: string;
  readonly superstep: number | undefined;
  readonly covers: number | undefined;
  readonly next: readonly string[];
  readonly label: string;
  readonly status: CheckpointStatus;
  readonly metadata: CheckpointMetadata;
}

/**
 * Checks a checkpoint before it is saved, and copies it. `like` is a state that it may resemble.
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID, HOLDFAST_TOO_MANY, HOLDFAST_UNSERIALIZABLE
 */
export function checkNewCheckpoint(
  checkpoint: NewCheckpoint,
  { bounds, like }: { readonly bounds: Pick<Bounds, 'tags'>; readonly like?: State | undefined },
): GivenCheckpoint {
  if (!isObject(checkpoint)) throw invalid('A checkpoint must be an object with a state.');
  refuseUnknown(checkpoint, keys, 'A checkpoint');
  const { id, replace = false, graph = '', superstep, covers, next = [], label = '', status = 'running' } = checkpoint;
  const content = contentOf(checkpoint);
  if (id !== undefined) checkRecordId(id);
  if (typeof replace !== 'boolean' || (replace && id === undefined))
    throw invalid("A checkpoint's replace must be true or false, and needs an id to replace.");
  if (!isLabel(graph)) throw invalid(`A checkpoint's graph must be a string ${labelRule}.`);
  if (typeof label !== 'string') throw invalid("A checkpoint's label must be a string.");
  checkCount('superstep', superstep);
  checkCount('covers', covers);
  if (!Array.isArray(next) || !next.every(isLabel)) {
    throw invalid(`A checkpoint's next must be an array of node names, each a string ${labelRule}.`);
  }
  if (!isStatus(status)) {
    throw invalid("A checkpoint's status must be a run status, or terminal:NAME for an end of your own.");
  }
  const metadata = metadataOf(checkpoint.metadata ?? {});
  const run = checkRunOptions(checkpoint, bounds);
  const given = { ...content, id, replace, run, graph, superstep, covers, next, label, status, metadata };
  return frozenCopyLike(given, like && frozenCopy({ state: like }));
}

/** The state, or a change and what it changes. */
function contentOf({ state, base, change }: NewCheckpoint): Pick<GivenCheckpoint, 'state' | 'base' | 'change'> {
  if (base !== undefined && typeof base !== 'string')
    throw invalid("A checkpoint's base must be the id of another checkpoint.");
  if (change === undefined) {
    if (!isObject(state)) throw invalid("A checkpoint's state must be an object with one key per channel.");
    return { state, base, change };
  }
  if (state !== undefined) throw invalid('A checkpoint has either a state or a change, not both.');
  if (base === undefined) throw invalid('A checkpoint with a change needs the base that it changes.');
  return { state, base, change: checkedChange(frozenCopy(change)) };
}

function checkedChange(change: Deltas): Deltas {
  try {
    return parseDeltas(change);
  } catch (cause) {
    if (!HoldfastError.is(cause, 'HOLDFAST_CORRUPT')) throw cause;
    throw invalid("A checkpoint's change must have one delta per channel, such as { n: ['=', 1] }.");
  }
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
