import { CellDraft } from '../delta/apply-delta.ts';
import type { FoldState } from '../delta/cell.ts';
import { type Deltas, parseDeltas } from '../delta/delta.ts';
import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Entry, RecordKind } from '../record/record.ts';
import { stateOfValues } from './snapshot-body.ts';

/** What a record does to the state: it changes some channels, or replaces the whole state. */
export type StateChange = { readonly delta: Deltas } | { readonly state: FoldState };

const changing: ReadonlySet<RecordKind> = new Set<RecordKind>(['run-start', 'superstep', 'turn', 'migrate', 'fork']);

/**
 * The state change that a record carries; undefined for one that carries none.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function deltasOf(entry: Entry): StateChange | undefined {
  const { kind, payload } = entry;
  if (!changing.has(kind) || typeof payload !== 'object' || payload === null) return undefined;
  return located(entry, () => {
    if (kind === 'migrate' && 'state' in payload) return { state: stateOfValues(payload.state) };
    return 'delta' in payload ? { delta: parseDeltas(payload.delta) } : undefined;
  });
}

/**
 * The state after a record.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function foldEntry(state: FoldState, entry: Entry): FoldState {
  return foldEntries(state, [entry]);
}

/**
 * The state after these records, given the state before them. Needs no user code. The cost is the size of the records,
 * plus each changed value once.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function foldEntries(state: FoldState, entries: Iterable<Entry>): FoldState {
  let draft = new StateDraft(state);
  for (const entry of entries) {
    const change = deltasOf(entry);
    if (change === undefined) continue;
    if ('state' in change) draft = new StateDraft(change.state);
    else located(entry, () => draft.apply(change.delta));
  }
  return draft.finish();
}

/**
 * The state after these changes, without records around them.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function foldDeltas(state: FoldState, changes: Iterable<Deltas>): FoldState {
  const draft = new StateDraft(state);
  for (const deltas of changes) draft.apply(deltas);
  return draft.finish();
}

/** A state while records are folded into it. */
class StateDraft {
  readonly #before: FoldState;
  readonly #drafts: Map<string, CellDraft> = new Map();

  constructor(before: FoldState) {
    this.#before = before;
  }

  apply(deltas: Deltas): void {
    for (const [name, delta] of Object.entries(deltas)) {
      const draft = this.#drafts.get(name) ?? new CellDraft(this.#before.get(name));
      this.#drafts.set(name, draft.apply(delta));
    }
  }

  finish(): FoldState {
    if (this.#drafts.size === 0) return this.#before;
    const state = new Map(this.#before);
    for (const [name, draft] of this.#drafts) state.set(name, draft.finish());
    return state;
  }
}

/** Names the record that could not be folded. */
function located<T>({ runId, seq }: Entry, fold: () => T): T {
  try {
    return fold();
  } catch (cause) {
    if (!HoldfastError.is(cause, 'HOLDFAST_CORRUPT')) throw cause;
    throw holdfastError('HOLDFAST_CORRUPT', `Record ${runId}@${seq} cannot be applied. ${cause.message}`, {
      details: { runId, seq },
      cause,
    });
  }
}
