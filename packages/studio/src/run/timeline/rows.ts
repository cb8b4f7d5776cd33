import { grouped } from '../../format/grouped.ts';
import { duration } from '../../format/time.ts';
import type { Span, Story, TaskStory } from '../fold/story.ts';
import type { Scale, Stretch } from './scale.ts';

/** How a bar looks. */
type BarKind = 'ok' | 'bad' | 'kill' | 'run' | 'wait' | 'stop' | 'off';

/** A bar of a row. Positions are from 0 to 1. */
export interface Bar {
  readonly kind: BarKind;
  readonly x0: number;
  readonly x1: number;
  /** For a pointer, and for a screen reader. */
  readonly what: string;
  /** The record that it belongs to. */
  readonly seq: number;
  readonly superstep: number;
}

/** A row of the timeline: a node, or a node of a subgraph. */
export interface Row {
  readonly key: string;
  readonly node: string;
  readonly depth: number;
  readonly status: TaskStory['status'] | 'pending';
  readonly spans: readonly Span[];
  readonly caption: string | undefined;
}

/** The rows, in the order in which their nodes first ran; those that never did come last, as they are declared. */
export function rowsOf(story: Story, { declared, depth = 0, keyPrefix = '' }: RowOptions): readonly Row[] {
  const spans = grouped(story.spans, ({ node }) => node);
  const tasks = grouped(story.tasks, ({ node }) => node);
  const ran = [...tasks.keys()];
  const rest = declared.filter((node) => !tasks.has(node));
  return [...ran, ...rest].map((node) => {
    const own = tasks.get(node) ?? [];
    return {
      key: keyPrefix + node,
      node,
      depth,
      status: statusOf(own),
      spans: (spans.get(node) ?? []).toSorted((left, right) => left.from - right.from),
      caption: captionOf(own, story),
    };
  });
}

interface RowOptions {
  readonly declared: readonly string[];
  readonly depth?: number;
  readonly keyPrefix?: string;
}

/** What a node is: the newest of its tasks, or of its items the one that is not over. */
export function statusOf(tasks: readonly TaskStory[]): Row['status'] {
  const last = tasks.at(-1);
  if (last === undefined) return 'pending';
  const together = tasks.filter(({ superstep }) => superstep === last.superstep);
  for (const status of ['failed', 'running', 'waiting', 'suspended', 'cancelled'] as const)
    if (together.some((task) => task.status === status)) return status;
  return 'completed';
}

function captionOf(tasks: readonly TaskStory[], { waits }: Story): string | undefined {
  const last = tasks.at(-1);
  if (last === undefined || last.to === undefined) return undefined;
  const latest = tasks.filter(({ superstep }) => superstep === last.superstep);
  const answered = waits.findLast(
    ({ node, superstep, by, to }) =>
      node === last.node && superstep === last.superstep && by !== undefined && to !== undefined,
  );
  if (answered?.by !== undefined) return `by ${answered.by}`;
  const failures = latest.reduce((sum, task) => sum + task.failures, 0);
  if (failures > 0 && latest.length === 1) return `${failures + 1} tries`;
  if (tasks.length > latest.length) return `${tasks.length - latest.length + 1} times`;
  return duration(Math.max(...latest.map((task) => task.to ?? task.from)) - last.from);
}

/** What was executed: everything else is idle time. */
export function activeStretches(stories: readonly Story[], now: number): readonly Stretch[] {
  return stories.flatMap(({ spans }) =>
    spans.filter(({ kind }) => kind !== 'wait').map(({ from, to }) => ({ from, to: to ?? now })),
  );
}

const kinds = { done: 'ok', failed: 'bad', killed: 'kill', cancelled: 'stop', open: 'run' } as const;
/** Bars closer than this are one bar: nobody could tell them apart, and 10,000 of them are slow. */
const leastGap = 0.0012;
const leastWidth = 0.0025;

/** The bars of a row, as far as they are on the axis. Those that touch are one. */
export function barsOf({ spans }: Pick<Row, 'spans'>, scale: Scale, now: number): readonly Bar[] {
  const bars: { -readonly [K in keyof Bar]: Bar[K] }[] = [];
  for (const span of spans) {
    const to = span.to ?? now;
    if (to < scale.from || span.from > scale.to) continue;
    const bar = {
      kind: barKind(span),
      x0: scale.x(span.from),
      x1: scale.x(to),
      what: span.what,
      seq: span.seq,
      superstep: span.superstep,
    };
    const before = bars.at(-1);
    // A try of a step follows the one before it without a gap: one bar, unless it ended otherwise.
    const isSame = before?.kind === bar.kind && bar.kind !== 'wait' && bar.kind !== 'bad';
    if (
      before !== undefined &&
      isSame &&
      bar.x0 - before.x1 < leastGap &&
      (before.superstep === bar.superstep || before.x1 - before.x0 < leastWidth)
    ) {
      before.x1 = Math.max(before.x1, bar.x1);
      before.what = bar.what;
      before.seq = bar.seq;
      continue;
    }
    bars.push(bar);
  }
  return bars;
}

function barKind({ kind, end }: Span): BarKind {
  if (kind === 'wait') return 'wait';
  return kind === 'backoff' ? 'off' : kinds[end];
}

/** Where the caption of a row stands: right of its last bar, or left of its first one if there is no room. */
export interface CaptionPlace {
  readonly side: 'right' | 'left';
  readonly x: number;
}

/** About what a letter takes of the axis. */
const letterWidth = 0.0095;

/** Finds room for a caption: it must not run into a break, nor over the end. */
export function captionPlace(bars: readonly Bar[], text: string, { pieces }: Scale): CaptionPlace | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined || text === '') return undefined;
  const width = (text.length + 1) * letterWidth;
  const nextBreak = pieces.find(({ isBreak, x0 }) => isBreak && x0 >= last.x1 - 1e-6)?.x0 ?? 1;
  if (last.x1 + width <= nextBreak) return { side: 'right', x: last.x1 };
  const breakBefore = pieces.findLast(({ isBreak, x1 }) => isBreak && x1 <= first.x0 + 1e-6)?.x1 ?? 0;
  return first.x0 - width >= breakBefore ? { side: 'left', x: first.x0 } : undefined;
}
