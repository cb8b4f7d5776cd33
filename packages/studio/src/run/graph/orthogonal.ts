import type { Point } from './shape.ts';

const radius = 8;

/** A path along right angles with rounded corners. Corners closer than twice the radius get a smaller one. */
export function roundedPath(points: readonly Point[]): string {
  const corners = withoutStraight(points);
  const [first, ...rest] = corners;
  if (first === undefined) return '';
  let path = `M${short(first.x)} ${short(first.y)}`;
  for (const [index, corner] of rest.entries()) {
    const next = rest[index + 1];
    const before = corners[index] as Point;
    if (next === undefined) {
      path += `L${short(corner.x)} ${short(corner.y)}`;
      continue;
    }
    const r = Math.min(radius, distance(before, corner) / 2, distance(corner, next) / 2);
    const enter = towards(corner, before, r);
    const leave = towards(corner, next, r);
    path += `L${short(enter.x)} ${short(enter.y)}Q${short(corner.x)} ${short(corner.y)} ${short(leave.x)} ${short(leave.y)}`;
  }
  return path;
}

/** The same points without those on a straight way between their neighbours. */
function withoutStraight(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last !== undefined && same(last.x, point.x) && same(last.y, point.y)) continue;
    const before = kept.at(-2);
    const isStraight =
      before !== undefined &&
      last !== undefined &&
      ((same(before.x, last.x) && same(last.x, point.x)) || (same(before.y, last.y) && same(last.y, point.y)));
    if (isStraight) kept.pop();
    kept.push(point);
  }
  return kept;
}

function same(left: number, right: number): boolean {
  return Math.abs(left - right) < 0.5;
}

function distance(left: Point, right: Point): number {
  return Math.abs(left.x - right.x) + Math.abs(left.y - right.y);
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  if (whole === 0) return from;
  return { x: from.x + ((to.x - from.x) / whole) * length, y: from.y + ((to.y - from.y) / whole) * length };
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}
