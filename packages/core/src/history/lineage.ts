/** A run and where it was forked from. */
export interface Forked {
  readonly runId: string;
  readonly forkedAt: { readonly runId: string; readonly seq: number } | null;
  /** Its own records up to here have been trimmed away. */
  readonly floor: number;
}

/** The part of a run's journal that one run of its lineage holds: seqs past `after`, up to `upTo`. */
export interface Segment {
  readonly runId: string;
  readonly after: number;
  readonly upTo: number;
  /** Where the history of all that stands on it begins, because what was below is gone; 0 when nothing is. */
  readonly floor: number;
}

/**
 * Where the journal of a run lies: its own records first, then those of its bases, newest segment first. `lineage` is
 * the run, its base, the base's base and so on. A run that was trimmed needs nothing of its bases.
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
