const chunkSize = 256;

/** The storage that views share. It only grows, so a view is a trunk and a length. */
interface Trunk {
  /** The array that the vector started with. Never changed or copied. */
  readonly base: readonly unknown[];
  /** All full except the last. A full chunk may be shared by several trunks and is never changed; the last is not shared. */
  readonly chunks: unknown[][];
  length: number;
  /**
   * The index of the first item with each id, built on demand. Derived trunks share it, so it may contain ids that only
   * another trunk has. For every id in this trunk it is correct, or else it is discarded.
   */
  ids: Map<string, number> | undefined;
}

/**
 * An immutable, growing list: every change returns a new view, and views share their common items.
 *
 * Appending to the newest view costs only the new items. Appending to an older one copies one chunk and the spine.
 */
export class Vector {
  readonly length: number;
  readonly #trunk: Trunk;
  #array: readonly unknown[] | undefined;

  private constructor(trunk: Trunk, length: number) {
    this.#trunk = trunk;
    this.length = length;
  }

  /** A vector of the items of a frozen array, which is not copied. */
  static of(items: readonly unknown[]): Vector {
    const vector = new Vector({ base: items, chunks: [], length: items.length, ids: undefined }, items.length);
    vector.#array = items;
    return vector;
  }

  /** The item at an index, which must be below the length. */
  at(index: number): unknown {
    return itemAt(this.#trunk, index);
  }

  /** Appends items. */
  append(items: readonly unknown[]): Vector {
    if (items.length === 0) return this;
    const isTip = this.#trunk.length === this.length;
    const trunk = isTip ? this.#trunk : branch(this.#trunk, this.length);
    for (const item of items) push(trunk, item);
    return new Vector(trunk, trunk.length);
  }

  /** Replaces items by index. */
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

  /** Keeps only the first items. */
  keep(count: number): Vector {
    return count >= this.length ? this : new Vector(this.#trunk, count);
  }

  /** The items as a frozen array, created once. */
  toArray(): readonly unknown[] {
    this.#array ??= Object.freeze(collect(this.#trunk, this.length));
    return this.#array;
  }

  /** The index of the first item with this `id`, or -1. */
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

/** A new trunk with the first items of another one. The full chunks stay shared. */
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

/** Splits the base of a trunk into chunks, once, so that every later change in place copies only one chunk. */
function inChunks(trunk: Trunk): Trunk {
  if (trunk.base.length === 0) return trunk;
  const items = collect(trunk, trunk.length);
  const chunks: unknown[][] = [];
  for (let start = 0; start < items.length; start += chunkSize) chunks.push(items.slice(start, start + chunkSize));
  return { base: [], chunks, length: trunk.length, ids: trunk.ids };
}

function collect(trunk: Trunk, length: number): unknown[] {
  // Spread, because `slice` and `concat` of a frozen array are ten times slower on Node 20.
  const base = [...trunk.base];
  const items = length <= base.length ? base : base.concat(...trunk.chunks);
  items.length = length;
  return items;
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  return typeof item.id === 'string' ? item.id : undefined;
}

/** If several items have the same id, the first one counts. */
function indexIds(trunk: Trunk): Map<string, number> {
  const ids = new Map<string, number>();
  for (let index = 0; index < trunk.length; index += 1) {
    const id = idOf(itemAt(trunk, index));
    if (id !== undefined && !ids.has(id)) ids.set(id, index);
  }
  return ids;
}

/** Called before the length includes the item. */
function noteId(trunk: Trunk, item: unknown): void {
  const id = idOf(item);
  if (id === undefined || trunk.ids === undefined) return;
  const known = trunk.ids.get(id);
  if (known === undefined) trunk.ids.set(id, trunk.length);
  else if (known !== trunk.length && idOf(itemAt(trunk, known)) !== id) trunk.ids = undefined;
}
