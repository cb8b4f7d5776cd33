import type { StoredId } from './contract/commit.ts';
import type { IdQuery } from './contract/read.ts';

/** The ids in memory that a query finds, in its order. Looking for a single one does not look at the others. */
export function selectIds(ids: ReadonlyMap<string, StoredId>, query: IdQuery): readonly StoredId[] {
  const { id, upTo = Number.MAX_SAFE_INTEGER, after = '', limit } = query;
  const asked = id === undefined ? [...ids.values()] : [ids.get(id)];
  return asked
    .filter((each): each is StoredId => each !== undefined && each.seq <= upTo && each.id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}
