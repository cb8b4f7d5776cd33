import type { NewEntry } from '../record/record.ts';

/** What the first record after a takeover says about it, in its `meta`: nothing else in a journal names a worker. */
export interface TakeoverMark {
  /** The worker that took the run over. */
  readonly worker: string;
  /** The worker that died, and how that was noticed. Null if the store does not tell. */
  readonly from: string | null;
  readonly noticed: 'lease' | 'death' | null;
  readonly fence: number;
  /** When the run was taken over. */
  readonly at: number;
}

/** The records of a commit, of which the first tells of the takeover. */
export function withTakeover(entries: readonly NewEntry[], takeover: TakeoverMark | undefined): readonly NewEntry[] {
  if (takeover === undefined) return entries;
  const [first, ...rest] = entries;
  if (first === undefined) return entries;
  return [{ ...first, meta: { ...first.meta, takeover } }, ...rest];
}
