import type { Segment } from '../../history/lineage.ts';
import type { Entry } from '../../record/record.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { Located } from '../../store/contract/read.ts';
import { hashValue } from '../../value/codec/canonical.ts';
import { findId } from '../find-id.ts';
import { entryAt } from '../read-entries.ts';
import { walkSnapshots } from '../walk-snapshots.ts';
import { savedHead } from './saved-checkpoint.ts';

/** An alias, and where the lineage knows it from as the id of a record. */
export interface NamedAlias {
  readonly alias: string;
  readonly known: Located<KnownId> | undefined;
}

/** The newest checkpoint of an alias, or a record of another kind that has it as its id. */
export interface Aliased {
  /** How many checkpoints have had the alias, including this one. */
  readonly version: number;
  /** Its record may have been pruned: its id outlives it. */
  readonly known: Located<KnownId>;
}

/**
 * The record that has an alias: the newest one, if it was replaced.
 *
 * A store knows one record per id. So the second checkpoint of an alias has an id that is made of the alias and the number
 * 2, and so on: the last one is found in a few lookups, however many there are, and a fork finds those of its base.
 */
export async function findAliased(
  store: CheckedStore,
  segments: readonly Segment[],
  { alias, known: first }: NamedAlias,
): Promise<Aliased | undefined> {
  if (first === undefined) return findByHead(store, segments, alias);
  const find = async (version: number): Promise<Located<KnownId> | undefined> => {
    const known = await findId(store, segments, versionId(alias, version));
    // An older one was left over when the first of them was forgotten and the alias began again.
    return known !== undefined && known.value.seq > first.value.seq ? known : undefined;
  };
  let newest = first;
  let low = 1;
  let high = 2;
  for (let known = await find(high); known !== undefined; known = await find(high)) {
    [newest, low, high] = [known, high, 2 * high];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const known = await find(middle);
    if (known === undefined) high = middle;
    else [newest, low] = [known, middle];
  }
  return { version: low, known: newest };
}

/** The id of the first one is forgotten some time after its record was pruned. Then the heads still say the alias. */
async function findByHead(
  store: CheckedStore,
  segments: readonly Segment[],
  alias: string,
): Promise<Aliased | undefined> {
  if (segments.every(({ floor }) => floor === 0)) return undefined;
  for await (const placed of walkSnapshots({ store, segments })) {
    if (savedHead(placed)?.alias !== alias) continue;
    const entry = await entryAt(store, segments, placed.snapshot.seq);
    const known = entry?.id === undefined ? undefined : await findId(store, segments, entry.id);
    if (entry === undefined || known === undefined) return undefined;
    return { version: versionOf(alias, entry), known };
  }
  return undefined;
}

/** The alias of a checkpoint's record; undefined for one that has none. */
export function aliasOf({ kind, id, meta }: Pick<Entry, 'kind' | 'id' | 'meta'>): string | undefined {
  const { alias } = meta;
  return kind === 'checkpoint' && typeof alias === 'string' ? alias : id;
}

/** The id and the metadata of the record that replaces this one, or of the first one. */
export function nextVersion(
  alias: string,
  before: Aliased | undefined,
): { readonly id: string; readonly alias?: string } {
  return before === undefined ? { id: alias } : { id: versionId(alias, before.version + 1), alias };
}

function versionId(alias: string, number: number): string {
  return `re:${hashValue(alias).slice(0, 32)}:${number}`;
}

function versionOf(alias: string, { id }: Entry): number {
  return id === alias ? 1 : Number(id?.split(':').at(-1));
}
