import type { StoredId } from './contract/commit.ts';
import type { IdQuery } from './contract/read.ts';

/** The ids in memory that a query finds, in its order. Of two with the same id, the later one counts. */
export function selectIds(ids: Iterable<StoredId>, query: IdQuery): readonly StoredId[] {
  const { id, upTo = Number.MAX_SAFE_INTEGER, after = '', limit } = query;
  const known = new Map<string, StoredId>();
  for (const each of ids) if (id === undefined || each.id === id) known.set(each.id, each);
  return [...known.values()]
    .filter((each) => each.seq <= upTo && each.id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** The same where ids are found by their hash: looking for a single one does not look at the others. */
export function selectIdsOf(ids: ReadonlyMap<string, StoredId>, query: IdQuery): readonly StoredId[] {
  const one = query.id === undefined ? undefined : ids.get(query.id);
  return selectIds(query.id === undefined ? ids.values() : one === undefined ? [] : [one], query);
}
