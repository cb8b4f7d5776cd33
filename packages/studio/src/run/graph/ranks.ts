import type { Point } from './shape.ts';

/** The nodes of one height, from top to bottom. */
export interface Rank {
  readonly top: number;
  readonly bottom: number;
}

/** Where a node stands: its middle, and its size. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** The ranks of nodes that a layout has placed: those that overlap in height are of the same one. */
export function ranksOf(boxes: Iterable<Box>): readonly Rank[] {
  const sides = Array.from(boxes, ({ y, height }) => ({ top: y - height / 2, bottom: y + height / 2 })).toSorted(
    (left, right) => left.top - right.top,
  );
  const ranks: { top: number; bottom: number }[] = [];
  for (const side of sides) {
    const last = ranks.at(-1);
    if (last !== undefined && side.top < last.bottom) last.bottom = Math.max(last.bottom, side.bottom);
    else ranks.push({ ...side });
  }
  return ranks;
}

/** Which rank a height is in; -1 if it is between two. */
export function rankAt(ranks: readonly Rank[], y: number): number {
  return ranks.findIndex(({ top, bottom }) => y >= top - 1 && y <= bottom + 1);
}

/** A way across a gap between two ranks: from one x to another. */
interface Crossing {
  readonly gap: number;
  readonly from: Point;
  readonly to: Point;
  readonly source: string;
  readonly target: string;
}

const between = 7;

/**
 * The heights at which edges cross a gap. Those that share a source or a target cross at the same height, so that they
 * look like one line that splits; others that would lie over each other get heights of their own.
 */
export class Gaps {
  readonly #ranks: readonly Rank[];
  readonly #crossings: Crossing[] = [];
  readonly #levels = new Map<Crossing, number>();
  #isSettled = false;

  constructor(ranks: readonly Rank[]) {
    this.#ranks = ranks;
  }

  add(crossing: Crossing): Crossing {
    this.#crossings.push(crossing);
    return crossing;
  }

  /** The height of a crossing, once all were added. */
  height(crossing: Crossing): number {
    this.#settle();
    const above = this.#ranks[crossing.gap - 1];
    const below = this.#ranks[crossing.gap];
    const top = above?.bottom ?? (below?.top ?? 0) - 32;
    const bottom = below?.top ?? top + 32;
    const room = Math.max(0, (bottom - top) / 2 - 6);
    const offset = Math.max(-room, Math.min(room, this.#levels.get(crossing) ?? 0));
    return (top + bottom) / 2 - 2 + offset;
  }

  #settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const gap of new Set(this.#crossings.map((each) => each.gap))) {
      const groups = groupsOf(this.#crossings.filter((each) => each.gap === gap));
      const levels: { left: number; right: number }[][] = [];
      for (const group of groups) {
        const left = Math.min(...group.flatMap(({ from, to }) => [from.x, to.x]));
        const right = Math.max(...group.flatMap(({ from, to }) => [from.x, to.x]));
        const isFree = (level: readonly { left: number; right: number }[]): boolean =>
          level.every((each) => right < each.left || left > each.right);
        const found = levels.findIndex(isFree);
        const at = found === -1 ? levels.length : found;
        levels[at] = [...(levels[at] ?? []), { left, right }];
        for (const crossing of group) this.#levels.set(crossing, at);
      }
      for (const crossing of groups.flat())
        this.#levels.set(crossing, ((this.#levels.get(crossing) ?? 0) - (levels.length - 1) / 2) * between);
    }
  }
}

/** Crossings that are connected by a source or a target, the widest group first. */
function groupsOf(crossings: readonly Crossing[]): readonly (readonly Crossing[])[] {
  const groups: { ends: Set<string>; members: Crossing[] }[] = [];
  for (const crossing of crossings) {
    const ends = new Set([`from ${crossing.source} ${crossing.from.x}`, `to ${crossing.target} ${crossing.to.x}`]);
    const group = { ends, members: [crossing] };
    for (const other of groups.filter((each) => [...ends].some((end) => each.ends.has(end)))) {
      for (const end of other.ends) group.ends.add(end);
      group.members.unshift(...other.members);
      groups.splice(groups.indexOf(other), 1);
    }
    groups.push(group);
  }
  return groups.map(({ members }) => members);
}
