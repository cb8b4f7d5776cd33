import type { ErrorPartJson, SpanJson, TakeoverJson, TimelineJson } from '../schema/timeline-types.ts';
import type { Timeline } from '../timeline/fold-timeline.ts';
import type { Span, TakeoverSpan } from '../timeline/span.ts';
import type { Redactor } from './redact.ts';

/** A timeline as JSON. */
export function timelineJson(
  { spans, takeovers }: Timeline,
  redactor: Redactor,
): Pick<TimelineJson, 'spans' | 'takeovers'> {
  return { spans: spans.map((span) => spanJson(span, redactor)), takeovers: takeovers.map(takeoverJson) };
}

function spanJson(span: Span, redactor: Redactor): SpanJson {
  const { runId, seq, superstep, node, item, kind, name, n, attempt, from, until, status, mark } = span;
  const { error, wait, by, childId } = span;
  return {
    runId,
    seq,
    superstep,
    node,
    item: item ?? null,
    kind,
    name: name ?? null,
    call: n ?? 0,
    attempt,
    from: iso(from),
    until: until === null ? null : iso(until),
    status,
    mark: mark ?? null,
    ...(error !== undefined && { error: errorPart(error, redactor) }),
    ...(wait !== undefined && { wait }),
    ...(by !== undefined && { by: redactor.text(['by'], by) }),
    ...(childId !== undefined && { childId }),
  };
}

/** The code and the message of a stored error. */
export function errorPart(error: NonNullable<Span['error']>, redactor: Redactor): ErrorPartJson {
  const shown = redactor.value(['errors'], error);
  return typeof shown === 'object' ? (shown as ErrorPartJson) : { message: String(shown) };
}

function takeoverJson({ at, lastAt, ...rest }: TakeoverSpan): TakeoverJson {
  return { ...rest, at: iso(at), lastAt: iso(lastAt) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
