import type { FoldState } from '../../delta/cell.ts';
import type { Deltas } from '../../delta/delta.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { foldDeltas } from '../../history/fold.ts';
import { snapshotBody, stateOfValues } from '../../history/snapshot-body.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { Snapshot } from '../../store/commit/encode.ts';
import { decodeValue, encodeOwn } from '../../value/codec/codec.ts';
import { formatCursor } from '../../value/cursor.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import type { Placed } from '../walk-snapshots.ts';
import { corruptState, lostState, type State, type StateKey, savedHead, savedState } from './saved-checkpoint.ts';

/** The changes that lead from a whole state to a checkpoint, newest first. */
interface Chain {
  readonly start: State;
  readonly links: readonly Link[];
}

interface Link {
  readonly place: string;
  readonly delta: Deltas;
}

/** No page holds more, whatever a head says. */
const longestPage = 256;

/** The state of a checkpoint, as a copy that the caller may change. @throws HOLDFAST_CORRUPT */
export async function restoreState(store: CheckedStore, placed: Placed): Promise<State> {
  const chain = await readChain(store, placed);
  return chain.links.length === 0 ? chain.start : ownCopy(lastState(chain));
}

/** The same, frozen: to compare another state with. @throws HOLDFAST_CORRUPT */
export async function restoreFrozen(store: CheckedStore, placed: Placed): Promise<State> {
  return frozenState(lastState(await readChain(store, placed)));
}

/**
 * The states of a checkpoint and of those that it was built on, as far as they are wanted: reads each of them once.
 *
 * @throws HOLDFAST_CORRUPT
 */
export async function restoreStates(
  store: CheckedStore,
  placed: Placed,
): Promise<{ readonly has: (id: string) => boolean; readonly states: (wanted: ReadonlySet<string>) => States }> {
  const { start, links } = await readChain(store, placed);
  const places = new Set(links.map(({ place }) => place));
  const oldestFirst = links.toReversed();
  return {
    has: (id) => places.has(id) || id === idOf(placed),
    states: (wanted) => {
      const states = new Map<string, () => State>();
      if (links.length === 0) return states.set(idOf(placed), () => start);
      let state = stateOfValues(start);
      for (const link of oldestFirst) {
        state = applied(state, link);
        const reached = state;
        if (wanted.has(link.place)) states.set(link.place, () => ownCopy(reached));
      }
      return states;
    },
  };
}

/** States by the id of their checkpoint; each is copied when it is asked for. */
export type States = ReadonlyMap<string, () => State>;

function idOf({ runId, snapshot }: Placed): string {
  return formatCursor(runId, snapshot.seq);
}

/** Reads backwards to the last whole state. A head says how far that is, so one page is enough unless there are branches. */
async function readChain(store: CheckedStore, placed: Placed): Promise<Chain> {
  const { depth = 0 } = savedHead(placed) ?? {};
  const { covers, seq } = placed.snapshot;
  const reader = new RowReader(store, depth);
  const links: Link[] = [];
  const seen = new Set<string>();
  for (let key: StateKey = { runId: placed.runId, covers, seq }; ; ) {
    const place = formatCursor(key.runId, key.seq);
    if (seen.has(place)) throw lostState(place);
    seen.add(place);
    const snapshot = await reader.at(key);
    if (snapshot === undefined) throw lostState(place);
    const saved = savedState({ runId: key.runId, snapshot });
    if ('state' in saved) return { start: saved.state, links };
    links.push({ place, delta: saved.delta });
    key = saved.base;
  }
}

/** Reads snapshots with their bodies, as many at once as a chain is expected to need. */
class RowReader {
  readonly #store: CheckedStore;
  #left: number;
  #page: readonly Snapshot[] = [];
  #runId = '';

  constructor(store: CheckedStore, depth: number) {
    this.#store = store;
    this.#left = depth + 1;
  }

  async at({ runId, covers, seq }: StateKey): Promise<Snapshot | undefined> {
    const isIt = (snapshot: Snapshot): boolean => snapshot.covers === covers && snapshot.seq === seq;
    let found = this.#runId === runId ? this.#page.find(isIt) : undefined;
    if (found === undefined) {
      const limit = Math.max(1, Math.min(this.#left, longestPage));
      const query = { runId, covers, before: { covers, seq: seq + 1 }, limit, bodies: true };
      this.#page = await this.#store.snapshots(query);
      this.#runId = runId;
      found = this.#page.find(isIt);
    }
    this.#left -= 1;
    return found;
  }
}

function lastState({ start, links }: Chain): FoldState {
  const state = stateOfValues(start);
  try {
    return foldDeltas(
      state,
      links.toReversed().map(({ delta }) => delta),
    );
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
  }
  // Once more, to say which one does not fit.
  return links.toReversed().reduce(applied, state);
}

function applied(state: FoldState, { place, delta }: Link): FoldState {
  try {
    return foldDeltas(state, [delta]);
  } catch (cause) {
    throw HoldfastError.is(cause, 'HOLDFAST_CORRUPT') ? corruptState(place, cause) : cause;
  }
}

function frozenState(state: FoldState): State {
  return frozenCopy(snapshotBody(state).values);
}

function ownCopy(state: FoldState): State {
  return decodeValue(encodeOwn(snapshotBody(state).values)) as State;
}
