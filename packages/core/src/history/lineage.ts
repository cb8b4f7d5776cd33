/** A run and where it was forked from. */
export interface Forked {
  readonly runId: string;
  readonly forkedAt: { readonly runId: string; readonly seq: number } | null;
  /** Records up to here were trimmed; 0 when none were. */
  readonly floor: number;
}

/** The part of a run's journal that one run of its lineage holds: seqs past `after`, up to `upTo`. */
export interface Segment {
  readonly runId: string;
  readonly after: number;
  readonly upTo: number;
  /** Where the history begins because everything below was trimmed; 0 when nothing was. */
  readonly floor: number;
}

/**
 * Where the journal of a run lies, newest segment first. `lineage` is the run, the run it was forked from, and so on. A
 * trimmed run needs nothing of the runs it was forked from.
 */
export function segmentsOf(lineage: readonly Forked[]): readonly Segment[] {
  let upTo = Number.MAX_SAFE_INTEGER;
  const segments: Segment[] = [];
  for (const { runId, forkedAt, floor } of lineage) {
    const after = forkedAt?.seq ?? 0;
    if (after < upTo) segments.push({ runId, after, upTo, floor });
    if (floor > 0) break;
    upTo = Math.min(upTo, after);
  }
  return segments;
}
