import type { SnapshotKey } from '../../contract/commit.ts';
import { compareSnapshots } from '../../snapshot-order.ts';
import type { SnapshotFile } from '../folder/names.ts';
import { firstSeq, lastSeq, type Tail } from '../segment/tail.ts';

/** What is known of a run's files. Never changed, only replaced, so that a reader notices a change and reads again. */
export interface FileRunState {
  readonly tail: Tail;
  /** The first seqs of the segments, in order. */
  readonly segments: readonly number[];
  /** Where in the last segment the next commit goes. */
  readonly end: number;
  /** Those that count, in the order of `compareSnapshots`. */
  readonly snapshots: readonly SnapshotFile[];
}

/** The snapshots that count by what the tail says, of all the files that are there. */
export function liveSnapshots(found: readonly SnapshotFile[], tail: Tail): readonly SnapshotFile[] {
  const newest = new Map<string, SnapshotFile>();
  const dropped = new Set(tail.dropped.map(keyText));
  for (const file of found) {
    if (file.rev > tail.rev || (file.rev < tail.rev && dropped.has(keyText(file)))) continue;
    const known = newest.get(keyText(file));
    if (known === undefined || known.rev < file.rev) newest.set(keyText(file), file);
  }
  return [...newest.values()].toSorted(compareSnapshots);
}

/** The snapshots with one more, in the place of one with the same key. */
export function withSnapshot(snapshots: readonly SnapshotFile[], file: SnapshotFile): readonly SnapshotFile[] {
  let at = snapshots.length;
  while (at > 0 && compareSnapshots(snapshots[at - 1] as SnapshotKey, file) >= 0) at -= 1;
  const known = snapshots[at];
  const replaces = known !== undefined && compareSnapshots(known, file) === 0;
  return snapshots.toSpliced(at, replaces ? 1 : 0, file);
}

/** The state with another epoch in its header. */
export function withEpoch(state: FileRunState, epoch: number): FileRunState {
  const { tail } = state;
  return { ...state, tail: { ...tail, header: { ...tail.header, epoch } } };
}

/** A key as a text, for sets. */
export function keyText({ covers, seq }: SnapshotKey): string {
  return `${covers}/${seq}`;
}

/** The segments with kept records, and the last one, which has the tail. */
export function usedSegments(segments: readonly number[], tail: Tail): readonly number[] {
  return segments.filter((first, at) => {
    const next = segments[at + 1];
    return next === undefined || (next - 1 >= firstSeq(tail) && first <= lastSeq(tail));
  });
}
