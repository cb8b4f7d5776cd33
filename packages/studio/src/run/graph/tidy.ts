// What makes a placement easier to read.
import { type Box, rankAt, ranksOf } from './ranks.ts';
import type { GraphEdge, Point } from './shape.ts';

/** Where nodes stand, and the points that edges pass. */
export interface Placed {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly ways: ReadonlyMap<GraphEdge, readonly Point[]>;
}

/** The layout or its mirror image: siblings stand in the order in which they were declared, as far as that costs no crossing. */
export function inDeclaredOrder({ boxes, ways }: Placed): Placed {
  const placed = [...boxes.values()];
  let inOrder = 0;
  for (const [index, left] of placed.entries())
    for (const right of placed.slice(index + 1))
      if (Math.abs(left.y - right.y) < 1) inOrder += Math.sign(right.x - left.x);
  if (inOrder >= 0) return { boxes, ways };
  const width = Math.max(...placed.map((box) => box.x + box.width / 2));
  const mirrored = <P extends Point>(point: P): P => ({ ...point, x: width - point.x });
  return {
    boxes: new Map([...boxes].map(([name, box]) => [name, mirrored(box)])),
    ways: new Map([...ways].map(([edge, points]) => [edge, points.map(mirrored)])),
  };
}

/** Two distances that look the same. */
const tie = 2;

/**
 * Moves everything from one rank on to the side, so that a way leads straight down: the main path of a graph is one line.
 * Where two ways are equally near, as where a graph forks evenly, nothing is moved.
 */
export function straightened({ boxes, ways }: Placed, edges: readonly GraphEdge[]): Placed {
  const ranks = ranksOf(boxes.values());
  const rankOf = (point: Point): number => rankAt(ranks, point.y);
  const shifts: number[] = [0];
  for (let rank = 1; rank < ranks.length; rank += 1) {
    const turns = edges.flatMap(({ from, to }) => {
      const [above, below] = [boxes.get(from), boxes.get(to)];
      if (above === undefined || below === undefined) return [];
      return rankOf(above) === rank - 1 && rankOf(below) === rank ? [above.x - below.x] : [];
    });
    const [nearest = 0, next] = turns.toSorted((left, right) => Math.abs(left) - Math.abs(right));
    const isEven = next !== undefined && Math.abs(Math.abs(next) - Math.abs(nearest)) < tie;
    shifts.push((shifts[rank - 1] ?? 0) + (isEven ? 0 : nearest));
  }
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x + (shifts[rankOf(point)] ?? 0) });
  return {
    boxes: new Map([...boxes].map(([name, box]) => [name, moved(box)])),
    ways: new Map([...ways].map(([edge, points]) => [edge, points.map(moved)])),
  };
}
