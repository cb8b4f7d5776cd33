import { isCount, listOf, nullable, objectOf, optional, type Shape } from '../../../value/data-shape.ts';
import type { SnapshotKey } from '../../contract/commit.ts';
import type { RunHeader } from '../../contract/run.ts';
import { isRunHeader } from '../../stored-header.ts';
import { storedJson } from '../../stored-json.ts';

/** What the last line of a commit says: the run's header, and what the store itself has to know. */
export interface Tail {
  /** Where in its segment the commit begins, in bytes. */
  readonly from: number;
  /** How many lines of records the commit has, before this one. */
  readonly records: number;
  /** Grows with every commit, claim, release and trim of the run. */
  readonly rev: number;
  /** How many snapshots are kept. */
  readonly snapshots: number;
  /** Of a hidden run: records past this seq are gone. */
  readonly keepTo: number | null;
  /** The revision of the file with the ids of records that the run does not have. Null: none. */
  readonly ids: number | null;
  /** The snapshot that came with this commit. */
  readonly snapshot: SnapshotKey | null;
  /** The snapshots that went with this commit; their files may still be there when the commit was the last one. */
  readonly dropped: readonly SnapshotKey[];
  /** All snapshots that are kept, where lines that named them go with this commit. */
  readonly kept: readonly SnapshotKey[] | null;
  /** With its members in one order, which is theirs in the file, and none that is undefined: see `headerAfter`. */
  readonly header: RunHeader;
}

/** How the last line of a commit begins. */
export const tailStart = '{"end":true,';

/** The line of a tail, without its checksum and closing brace. */
export function encodeTail({
  from,
  records,
  rev,
  snapshots,
  keepTo,
  ids,
  snapshot,
  dropped,
  kept,
  header,
}: Tail): string {
  const counts = `"from":${from},"records":${records},"rev":${rev},"snapshots":${snapshots}`;
  const rare =
    keepTo === null && ids === null && snapshot === null && dropped.length === 0 && kept === null
      ? ''
      : encodeRare({ keepTo, ids, snapshot, dropped, kept });
  return `${tailStart}${counts}${rare},"header":${JSON.stringify(header)}`;
}

/** What few tails have. */
type Rare = 'keepTo' | 'ids' | 'snapshot' | 'dropped' | 'kept';

function encodeRare({ keepTo, ids, snapshot, dropped, kept }: Pick<Tail, Rare>): string {
  return (
    (keepTo === null ? '' : `,"keepTo":${keepTo}`) +
    (ids === null ? '' : `,"ids":${ids}`) +
    (snapshot === null ? '' : `,"snapshot":${encodeKey(snapshot)}`) +
    (dropped.length === 0 ? '' : `,"dropped":[${dropped.map(encodeKey).join()}]`) +
    (kept === null ? '' : `,"kept":[${kept.map(encodeKey).join()}]`)
  );
}

const isKey = objectOf({ covers: isCount, seq: isCount });
const isTail = objectOf({
  from: isCount,
  records: isCount,
  rev: isCount,
  snapshots: isCount,
  keepTo: optional(nullable(isCount)),
  ids: optional(nullable(isCount)),
  snapshot: optional(nullable(isKey)),
  dropped: optional(listOf(isKey)),
  kept: optional(nullable(listOf(isKey))),
  header: isRunHeader,
} satisfies Record<keyof Tail, Shape>);

/** The tail of a line whose checksum has been found right; undefined if it says what no run can be. */
export function decodeTail(line: string): Tail | undefined {
  const tail = storedJson(line, isTail) as (Partial<Tail> & Omit<Tail, Rare>) | undefined;
  if (tail === undefined) return undefined;
  const { from, records, rev, snapshots, header } = tail;
  // Only of a run that is hidden may some be gone.
  if (tail.keepTo !== undefined && tail.keepTo !== null && !header.hidden) return undefined;
  const { keepTo = null, ids = null, snapshot = null, dropped = [], kept = null } = tail;
  return { from, records, rev, snapshots, keepTo, ids, snapshot, dropped, kept, header };
}

function encodeKey({ covers, seq }: SnapshotKey): string {
  return `{"covers":${covers},"seq":${seq}}`;
}

/** The seq that the first kept record of the run has, or would have. */
export function firstSeq({ header }: Tail): number {
  return Math.max(header.floor, header.forkedAt?.seq ?? 0) + 1;
}

/** Whether the record with this seq was trimmed away; nobody knows any more what it was. */
export function hasDropped(tail: Tail, seq: number): boolean {
  return seq <= tail.header.floor || (seq > lastSeq(tail) && seq <= tail.header.head);
}

/** The seq of the last kept record of the run; below the first one when none is kept. */
export function lastSeq({ header, keepTo }: Tail): number {
  return Math.min(header.head, keepTo ?? header.head);
}
