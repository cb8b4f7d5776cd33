import { type Cell, cellOf, type FoldState, readCell } from '../delta/cell.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { setOwn } from '../value/codec/special.ts';

/** A state as a snapshot keeps it: a plain value for the codec. */
export interface SnapshotBody {
  readonly values: Readonly<Record<string, unknown>>;
  /** Channels that no longer have a value; left out when there are none. */
  readonly unset?: readonly string[];
}

/** The whole state as a plain value. */
export function snapshotBody(state: FoldState): SnapshotBody {
  const values: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const [name, cell] of state) {
    if (cell === undefined) unset.push(name);
    else setOwn(values, name, readCell(cell));
  }
  return unset.length === 0 ? { values } : { values, unset };
}

/**
 * The state that a snapshot holds.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function stateOfSnapshot(body: unknown): FoldState {
  if (!isPlainObject(body)) throw corrupt();
  const unset = 'unset' in body ? body['unset'] : [];
  if (!Array.isArray(unset)) throw corrupt();
  const state = new Map(stateOfValues(body['values']));
  for (const name of unset as readonly unknown[]) {
    if (typeof name !== 'string') throw corrupt();
    state.set(name, undefined);
  }
  return state;
}

/**
 * The state with these values, one key per channel.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function stateOfValues(values: unknown): FoldState {
  if (!isPlainObject(values)) throw corrupt();
  const state = new Map<string, Cell>();
  for (const name of Object.keys(values)) state.set(name, cellOf(values[name]));
  return state;
}

function corrupt(): Error {
  return holdfastError('HOLDFAST_CORRUPT', 'The snapshot is corrupt: it holds no state.');
}
