// Where a time stands on the timeline. Idle time, in which nothing was executed, is collapsed: a wait of two days would
// leave no room for the seconds before and after it.

/** A stretch of time in which something was executed. Without `to` it still is. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A piece of the axis: executed time, to a scale of its own, or a break of a fixed width. Positions are from 0 to 1. */
export interface Piece extends Stretch {
  readonly x0: number;
  readonly x1: number;
  readonly isBreak: boolean;
}

/** The axis. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Piece[];
  /** Times outside the axis are at its ends. */
  x(time: number): number;
  timeAt(x: number): number;
}

/** How the axis is made. */
export interface ScaleOptions {
  /** Default: from the first to the last stretch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly isCollapsed?: boolean | undefined;
}

/** Idle time up to this long keeps its scale. */
const leastIdleMs = 60_000;
/** The width of one break, and of all of them together at most. */
const breakWidth = 0.135;
const openBreakWidth = 0.3;
const allBreaks = 0.45;
/** Time around executed stretches that stays to scale, as a share of the executed time. */
const margin = 0.02;
/** What each piece between breaks gets of their room at least: hours after a break must not hide the seconds before it. */
const leastPiece = 0.3;
/** What all pieces get at least, if there are many. */
const allLeast = 0.6;

/** Makes the axis of what was executed. */
export function scaleOf(stretches: readonly Stretch[], options: ScaleOptions = {}): Scale {
  const { isCollapsed = true } = options;
  const from = options.from ?? Math.min(...stretches.map((each) => each.from), Number.POSITIVE_INFINITY);
  const to = Math.max(options.to ?? Math.max(...stretches.map((each) => each.to), Number.NEGATIVE_INFINITY), from + 1);
  if (!Number.isFinite(from)) return scaleFrom([{ from: 0, to: 1, x0: 0, x1: 1, isBreak: false }]);
  const gaps = isCollapsed ? gapsIn(stretches, { from, to }) : [];
  return scaleFrom(piecesOf(gaps, { from, to }));
}

/** The idle times, shortened by the margin at both ends so that no bar touches a break. */
function gapsIn(stretches: readonly Stretch[], { from, to }: Stretch): readonly Stretch[] {
  const inside = stretches
    .filter((each) => each.to > from && each.from < to)
    .toSorted((left, right) => left.from - right.from);
  const gaps: Stretch[] = [];
  let busyUntil = from;
  let activeMs = 0;
  for (const each of inside) {
    if (each.from - busyUntil > leastIdleMs) gaps.push({ from: busyUntil, to: each.from });
    activeMs += Math.max(0, each.to - Math.max(each.from, busyUntil));
    busyUntil = Math.max(busyUntil, each.to);
  }
  if (to - busyUntil > leastIdleMs) gaps.push({ from: busyUntil, to });
  const pad = Math.min(Math.max(50, activeMs * margin), leastIdleMs / 4);
  return gaps.map((gap) => ({
    from: gap.from === from ? gap.from : gap.from + pad,
    to: gap.to === to ? gap.to : gap.to - pad,
  }));
}

function piecesOf(gaps: readonly Stretch[], { from, to }: Stretch): readonly Piece[] {
  const executed = executedIn(gaps, { from, to });
  const activeMs = executed.reduce((total, each) => total + each.to - each.from, 0);
  const wanted = gaps.map((gap) => (gap.to === to && gaps.length === 1 ? openBreakWidth : breakWidth));
  const sum = wanted.reduce((total, width) => total + width, 0);
  const shrink = sum > allBreaks ? allBreaks / sum : 1;
  const room = 1 - sum * shrink;
  const least = executed.length < 2 ? 0 : room * Math.min(leastPiece, allLeast / executed.length);
  const perMs = (room - least * executed.length) / Math.max(1, activeMs);
  const parts = [
    ...executed.map((each) => ({ ...each, width: least + (each.to - each.from) * perMs, isBreak: false })),
    ...gaps.map((gap, index) => ({ ...gap, width: (wanted[index] ?? breakWidth) * shrink, isBreak: true })),
  ].toSorted((left, right) => left.from - right.from);
  let x = 0;
  return parts.map(({ width, ...part }) => {
    x += width;
    return { ...part, x0: x - width, x1: x };
  });
}

/** What is between the breaks. */
function executedIn(gaps: readonly Stretch[], { from, to }: Stretch): readonly Stretch[] {
  const starts = [from, ...gaps.map((gap) => gap.to)];
  const ends = [...gaps.map((gap) => gap.from), to];
  return starts.map((start, index) => ({ from: start, to: ends[index] ?? to })).filter((each) => each.to > each.from);
}

function scaleFrom(pieces: readonly Piece[]): Scale {
  const first = pieces[0] as Piece;
  const last = pieces.at(-1) as Piece;
  return {
    from: first.from,
    to: last.to,
    pieces,
    x(time) {
      if (time <= first.from) return 0;
      const piece = pieces.find((each) => time <= each.to);
      if (piece === undefined) return 1;
      return piece.x0 + ((time - piece.from) / Math.max(1, piece.to - piece.from)) * (piece.x1 - piece.x0);
    },
    timeAt(x) {
      const piece = pieces.find((each) => x <= each.x1) ?? last;
      const share = piece.x1 === piece.x0 ? 0 : (Math.max(x, piece.x0) - piece.x0) / (piece.x1 - piece.x0);
      return piece.from + Math.min(1, share) * (piece.to - piece.from);
    },
  };
}

/** A line of the grid. `offsetMs`: since the start of its piece; undefined for the start itself, which has the time. */
export interface Tick {
  readonly time: number;
  readonly x: number;
  readonly offsetMs: number | undefined;
}

const niceSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000].concat(
  [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 7_200, 14_400, 43_200].map((minutes) => minutes * 60_000),
);
/** Labels closer than this would touch; in a narrow window they take more of the axis. */
const leastGap = { wide: 0.11, narrow: 0.27 };

/** The grid: the start of each piece, and round distances from the start of the first. */
export function ticksOf(
  { pieces }: Scale,
  { isNarrow = false }: { readonly isNarrow?: boolean } = {},
): readonly Tick[] {
  const gap = isNarrow ? leastGap.narrow : leastGap.wide;
  const ticks: Tick[] = [];
  for (const piece of pieces) {
    if (piece.isBreak) continue;
    const width = piece.x1 - piece.x0;
    const far = ticks.at(-1)?.x ?? Number.NEGATIVE_INFINITY;
    if (piece.x0 - far >= gap) ticks.push({ time: piece.from, x: piece.x0, offsetMs: undefined });
    const perMs = width / Math.max(1, piece.to - piece.from);
    const step = niceSteps.find((ms) => ms * perMs >= gap);
    if (step === undefined) continue;
    for (let offset = step; offset < piece.to - piece.from; offset += step) {
      const x = piece.x0 + offset * perMs;
      // A label is centred on its line, that of the start stands at its right.
      if (x - piece.x0 < gap * 1.6 || piece.x1 - x < gap * 0.25) continue;
      ticks.push({ time: piece.from + offset, x, offsetMs: offset });
    }
  }
  return ticks;
}

/** What a brush has selected, if it is wide enough to be meant. */
export function brushed(scale: Scale, from: number, to: number): Stretch | undefined {
  const [left, right] = from < to ? [from, to] : [to, from];
  if (right - left < 0.01) return undefined;
  return { from: scale.timeAt(left), to: scale.timeAt(right) };
}
