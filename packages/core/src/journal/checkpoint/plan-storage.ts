import type { Deltas } from '../../delta/delta.ts';
import { diffChannels } from '../../delta/diff-channels.ts';
import { weigh } from '../../delta/weigh.ts';
import { addStep, measured } from '../../history/snapshot-policy.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import type { SavedBody, State, Storage } from './saved-checkpoint.ts';

/** A checkpoint that a change can begin with. */
export interface StorageBase extends Pick<Storage, 'depth' | 'since'> {
  readonly key: SnapshotKey;
  readonly state: State;
}

/** How to store a state, and the state with what it shares with its base. */
export interface StoragePlan {
  readonly storage: Pick<Storage, 'depth' | 'since' | 'base'>;
  readonly body: SavedBody;
  readonly state: State;
}

/**
 * Decides whether to store a state whole or as what changed since its base: whole when the changes since the last whole
 * state weigh as much as the state, as for graph runs. `change` is the change, if it is known.
 */
export function planStorage(base: StorageBase | undefined, given: State, change?: Deltas): StoragePlan {
  if (base === undefined) return whole(given);
  const { deltas, values } = change === undefined ? diffChannels(base.state, given) : { deltas: change, values: given };
  const weight = weigh(deltas);
  const size = weigh(values);
  const { since } = addStep({ since: base.since, mark: 0 }, weight);
  if (weight >= size || measured({ since, mark: 0 }, size).due) return whole(values);
  const { covers, seq } = base.key;
  return { storage: { depth: base.depth + 1, since, base: { covers, seq } }, body: { delta: deltas }, state: values };
}

function whole(state: State): StoragePlan {
  return { storage: { depth: 0, since: 0 }, body: { state }, state };
}
