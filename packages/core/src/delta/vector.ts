const chunkSize = 256;

/** What views share: it only ever grows, so that a view is a trunk and a length. */
interface Trunk {
  /** Never changed; whatever array the vector began with, so that beginning costs nothing. */
  readonly base: readonly unknown[];
  /** Full but for the last one. A full chunk may stand in several trunks and is never changed; the last is this one's. */
  readonly chunks: unknown[][];
  length: number;
  /**
   * Where the first item with each id is, once somebody asked. Trunks that come from each other share it, so it may
   * name ids that are in another trunk only. But every id that is in this one is where it says, or else it is dropped.
   */
  ids: Map<string, number> | undefined;
}

/**
 * A growing list that never changes: every change gives a new view, and the views share what they have in common.
 *
 * Appending to the newest view costs nothing but the new items; to an older one, a copy of one chunk and the spine.
 */
export class Vector {
  readonly length: number;
  readonly #trunk: Trunk;
  #array: readonly unknown[] | undefined;

  private constructor(trunk: Trunk, length: number) {
    this.#trunk = trunk;
    this.length = length;
  }

  /** A vector of the items of a frozen array, which is kept and not copied. */
  static of(items: readonly unknown[]): Vector {
    const vector = new Vector({ base: items, chunks: [], length: items.length, ids: undefined }, items.length);
    vector.#array = items;
    return vector;
  }

  /** The item at an index below the length. */
  at(index: number): unknown {
    return itemAt(this.#trunk, index);
  }

  /** The same items and these after them. */
  append(items: readonly unknown[]): Vector {
    if (items.length === 0) return this;
    const isTip = this.#trunk.length === this.length;
    const trunk = isTip ? this.#trunk : branch(this.#trunk, this.length);
    for (const item of items) push(trunk, item);
    return new Vector(trunk, trunk.length);
  }

  /** The same items but for these, by index. */
  put(items: ReadonlyMap<number, unknown>): Vector {
    if (items.size === 0) return this;
    const trunk = inChunks(branch(this.#trunk, this.length));
    const copied = new Set<number>();
    for (const [index, item] of items) {
      const place = Math.floor(index / chunkSize);
      const chunk = copied.has(place) ? trunk.chunks[place] : trunk.chunks[place]?.slice();
      if (chunk === undefined) throw new RangeError(`no item ${index}`);
      if (idOf(chunk[index % chunkSize]) !== idOf(item)) trunk.ids = undefined;
      chunk[index % chunkSize] = item;
      trunk.chunks[place] = chunk;
      copied.add(place);
    }
    return new Vector(trunk, trunk.length);
  }

  /** The first items only. */
  keep(count: number): Vector {
    return count >= this.length ? this : new Vector(this.#trunk, count);
  }

  /** The items as a frozen array, made once. */
  toArray(): readonly unknown[] {
    this.#array ??= Object.freeze(collect(this.#trunk, this.length));
    return this.#array;
  }

  /** Where the first item with this `id` is; -1 when there is none. */
  indexOfId(id: string): number {
    const trunk = this.#trunk;
    trunk.ids ??= indexIds(trunk);
    const index = trunk.ids.get(id);
    return index !== undefined && index < this.length && idOf(itemAt(trunk, index)) === id ? index : -1;
  }
}

function itemAt(trunk: Trunk, index: number): unknown {
  if (index < trunk.base.length) return trunk.base[index];
  const place = index - trunk.base.length;
  return trunk.chunks[Math.floor(place / chunkSize)]?.[place % chunkSize];
}

function push(trunk: Trunk, item: unknown): void {
  const last = trunk.chunks.at(-1);
  if (last === undefined || last.length === chunkSize) trunk.chunks.push([item]);
  else last.push(item);
  if (trunk.ids !== undefined) noteId(trunk, item);
  trunk.length += 1;
}

/** A trunk of its own with the first items of another one; the full chunks stay shared. */
function branch(trunk: Trunk, length: number): Trunk {
  const { base, ids } = trunk;
  if (length <= base.length) {
    return { base: length === base.length ? base : collect(trunk, length), chunks: [], length, ids };
  }
  const full = Math.floor((length - base.length) / chunkSize);
  const chunks = trunk.chunks.slice(0, full);
  const rest = (length - base.length) % chunkSize;
  const last = trunk.chunks[full];
  if (rest > 0 && last !== undefined) chunks.push(last.slice(0, rest));
  return { base, chunks, length, ids };
}

/** The same trunk with its base cut into chunks: paid once, so that every later change in place copies one chunk. */
function inChunks(trunk: Trunk): Trunk {
  if (trunk.base.length === 0) return trunk;
  const items = collect(trunk, trunk.length);
  const chunks: unknown[][] = [];
  for (let start = 0; start < items.length; start += chunkSize) chunks.push(items.slice(start, start + chunkSize));
  return { base: [], chunks, length: trunk.length, ids: trunk.ids };
}

function collect(trunk: Trunk, length: number): unknown[] {
  // Spread, because `slice` and `concat` of a frozen array take ten times as long on Node 20.
  const base = [...trunk.base];
  const items = length <= base.length ? base : base.concat(...trunk.chunks);
  items.length = length;
  return items;
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  return typeof item.id === 'string' ? item.id : undefined;
}

/** The first of several items with one id counts. */
function indexIds(trunk: Trunk): Map<string, number> {
  const ids = new Map<string, number>();
  for (let index = 0; index < trunk.length; index += 1) {
    const id = idOf(itemAt(trunk, index));
    if (id !== undefined && !ids.has(id)) ids.set(id, index);
  }
  return ids;
}

/** Called before the item counts in the length. */
function noteId(trunk: Trunk, item: unknown): void {
  const id = idOf(item);
  if (id === undefined || trunk.ids === undefined) return;
  const known = trunk.ids.get(id);
  if (known === undefined) trunk.ids.set(id, trunk.length);
  else if (known !== trunk.length && idOf(itemAt(trunk, known)) !== id) trunk.ids = undefined;
}
