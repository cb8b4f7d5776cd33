import type { Segment } from '../../history/lineage.ts';
import type { Entry } from '../../record/record.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import { hashValue } from '../../value/codec/canonical.ts';
import { entryAt, findEntry } from '../read-entries.ts';
import { walkSnapshots } from '../walk-snapshots.ts';
import { savedHead } from './saved-checkpoint.ts';

/**
 * The record that has an alias: the newest one, if it was replaced.
 *
 * A store knows one record per id. So the second checkpoint of an alias has an id that is made of the alias and the number
 * 2, and so on: the last one is found in a few lookups, however many there are, and a fork finds those of its base.
 */
export async function findAliased(
  store: CheckedStore,
  segments: readonly Segment[],
  alias: string,
): Promise<Entry | undefined> {
  const first = await findEntry(store, segments, alias);
  if (first === undefined) return segments[0]?.floor === 0 ? undefined : findByHead(store, segments, alias);
  const version = async (number: number): Promise<Entry | undefined> => {
    const entry = await findEntry(store, segments, versionId(alias, number));
    return entry !== undefined && aliasOf(entry) === alias ? entry : undefined;
  };
  let newest = first;
  let low = 1;
  let high = 2;
  for (let entry = await version(high); entry !== undefined; entry = await version(high)) {
    [newest, low, high] = [entry, high, 2 * high];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const entry = await version(middle);
    if (entry === undefined) high = middle;
    else [newest, low] = [entry, middle];
  }
  return newest;
}

/** The first ones of an alias may have been pruned with their records. */
async function findByHead(
  store: CheckedStore,
  segments: readonly Segment[],
  alias: string,
): Promise<Entry | undefined> {
  for await (const placed of walkSnapshots({ store, segments })) {
    if (savedHead(placed)?.alias === alias) return entryAt(store, segments, placed.snapshot.seq);
  }
  return undefined;
}

/** The alias of a checkpoint's record; undefined for one that has none. */
export function aliasOf({ kind, id, meta }: Pick<Entry, 'kind' | 'id' | 'meta'>): string | undefined {
  const { alias } = meta;
  return kind === 'checkpoint' && typeof alias === 'string' ? alias : id;
}

/** The id and the metadata of the record that replaces this one, or of the first one. */
export function nextVersion(alias: string, known: Entry | undefined): { readonly id: string; readonly alias?: string } {
  if (known === undefined) return { id: alias };
  const last = known.id === alias ? 1 : Number(known.id?.split(':').at(-1));
  return { id: versionId(alias, last + 1), alias };
}

function versionId(alias: string, number: number): string {
  return `re:${hashValue(alias).slice(0, 32)}:${number}`;
}
