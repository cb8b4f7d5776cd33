import { applyDelta } from '../../delta/apply-delta.ts';
import { type Cell, type FoldState, readCell } from '../../delta/cell.ts';
import type { Delta, Deltas } from '../../delta/delta.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { setOwn } from '../../value/codec/special.ts';
import type { ChannelSet } from '../channel-set.ts';
import type { Behaviour, Write } from '../definition.ts';
import { channelCopy } from './channel-error.ts';
import { type PreparedUpdate, unknownChannel } from './prepare-update.ts';

/** The result of applying updates to a state. */
export interface Applied {
  readonly state: FoldState;
  /** One delta per changed channel. Folding them into the old state gives the new state, without user code. */
  readonly delta: Deltas;
  readonly isChanged: boolean;
}

/**
 * Merges updates into a state, in order, and returns one delta per channel. The old state is not changed.
 *
 * A channel that is new to the state (a new run, a new version of the graph) gets its default, so that the journal
 * contains it. Starting a run means applying its input to an empty state.
 *
 * @throws HOLDFAST_REDUCER_FAILED, HOLDFAST_UNKNOWN_CHANNEL, HOLDFAST_INVALID_VALUE, HOLDFAST_UNSERIALIZABLE
 */
export function applyUpdates(channels: ChannelSet, state: FoldState, updates: readonly PreparedUpdate[]): Applied {
  const delta: Record<string, Delta> = {};
  let next: Map<string, Cell> | undefined;
  const writes = writesByChannel(updates);
  for (const [name, { initial }] of channels) {
    if (initial === undefined || state.has(name) || Object.hasOwn(writes, name)) continue;
    const cell = defaultOf(name, initial);
    if (cell === undefined) continue;
    delta[name] = ['=', cell];
    next ??= copyOf(state);
    next.set(name, cell);
  }
  for (const name of Object.keys(writes)) {
    const each = writes[name] as readonly Write[];
    const behaviour = channels.get(name);
    if (behaviour === undefined) throw unknownChannel(channels, name);
    const cell = state.get(name);
    const change = state.has(name) ? behaviour.merge(name, cell, each) : firstChange(name, behaviour, each);
    if (change === undefined) continue;
    delta[name] = change;
    // Build the new state from the delta, like every reader of the journal, so that they cannot differ.
    next ??= copyOf(state);
    next.set(name, applyDelta(cell, change));
  }
  return { state: next ?? state, delta, isChanged: next !== undefined };
}

/** Copies without one pair per cell, which the Map constructor would need: every super-step makes a copy. */
function copyOf(state: FoldState): Map<string, Cell> {
  const copy = new Map<string, Cell>();
  state.forEach((cell, name) => copy.set(name, cell));
  return copy;
}

/** The first value of a channel that is new to the state, as a whole value. */
function firstChange(name: string, behaviour: Behaviour, writes: readonly Write[]): Delta | undefined {
  const initial = behaviour.initial === undefined ? undefined : defaultOf(name, behaviour.initial);
  const change = behaviour.merge(name, initial, writes);
  const value = readCell(change === undefined ? initial : applyDelta(initial, change));
  if (value !== undefined) return ['=', value];
  return initial === undefined ? undefined : ['-'];
}

/**
 * The cell of a channel's default.
 *
 * @throws HOLDFAST_REDUCER_FAILED if the user's function throws.
 */
export function defaultOf(name: string, initial: () => unknown): Cell {
  let value: unknown;
  try {
    value = initial();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw holdfastError('HOLDFAST_REDUCER_FAILED', `The default of channel "${name}" failed: ${why}.`, {
      details: { channel: name },
      cause,
    });
  }
  return channelCopy({ channel: name, keys: [] }, value) as Cell;
}

/** Names come from a journal, so look up own keys only. */
function writesByChannel(updates: readonly PreparedUpdate[]): Readonly<Record<string, readonly Write[]>> {
  const writes: Record<string, Write[]> = {};
  for (const update of updates) {
    for (const name of Object.keys(update)) {
      const write = update[name] as Write;
      if (Object.hasOwn(writes, name)) writes[name]?.push(write);
      else setOwn(writes, name, [write]);
    }
  }
  return writes;
}
