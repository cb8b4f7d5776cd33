import type { RunHeader, SnapshotKey, WaitHead } from '../contract.ts';

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
  /** The snapshot that came with this commit. */
  readonly snapshot: SnapshotKey | null;
  /** The snapshots that went with this commit; their files may still be there when the commit was the last one. */
  readonly dropped: readonly SnapshotKey[];
  /** All snapshots that are kept, where the lines that named them were left out when the segment was written anew. */
  readonly kept: readonly SnapshotKey[] | null;
  readonly header: RunHeader;
}

/** How the last line of a commit begins. */
export const tailStart = '{"end":true,';

/** The line of a tail, without its checksum and closing brace. */
export function encodeTail({ from, records, rev, snapshots, keepTo, snapshot, dropped, kept, header }: Tail): string {
  // What is undefined is left out of the JSON.
  const parts = {
    from,
    records,
    rev,
    snapshots,
    keepTo: keepTo ?? undefined,
    snapshot: snapshot === null ? undefined : keyOf(snapshot),
    dropped: dropped.length === 0 ? undefined : dropped.map(keyOf),
    kept: kept?.map(keyOf),
    header,
  };
  return `${tailStart}${JSON.stringify(parts).slice(1, -1)}`;
}

/** The tail of a line whose checksum has been found right. */
export function decodeTail(line: string): Tail {
  const tail = JSON.parse(line) as Partial<Tail> & Omit<Tail, 'keepTo' | 'snapshot' | 'dropped' | 'kept'>;
  const { from, records, rev, snapshots, keepTo = null, snapshot = null, dropped = [], kept = null, header } = tail;
  return { from, records, rev, snapshots, keepTo, snapshot, dropped, kept, header };
}

function keyOf({ covers, seq }: SnapshotKey): SnapshotKey {
  return { covers, seq };
}

/** The header with its members in one order, and none that a reader would find missing: what is read equals what was written. */
export function plainHeader(header: RunHeader): RunHeader {
  const { run, graph, version, status, step, head, frontier, waits, wakeAt, tags, floor, updatedAt, createdAt } =
    header;
  const { base, parent, loop, worker, fence, claims, hidden, draft, token } = header;
  return {
    run,
    graph,
    version,
    status,
    step,
    head,
    frontier,
    waits: waits.map(plainWait),
    wakeAt,
    tags,
    base: base === null ? null : { run: base.run, seq: base.seq },
    parent,
    loop,
    createdAt,
    updatedAt,
    floor,
    worker,
    fence,
    claims,
    hidden,
    ...(draft === true && { draft }),
    token,
  };
}

function plainWait({ id, kind, name, node, since, until }: WaitHead): WaitHead {
  return until === undefined ? { id, kind, name, node, since } : { id, kind, name, node, since, until };
}

/** The seq that the first kept record of the run has, or would have. */
export function firstSeq({ header }: Tail): number {
  return Math.max(header.floor, header.base?.seq ?? 0) + 1;
}

/** The seq of the last kept record of the run; below the first one when none is kept. */
export function lastSeq({ header, keepTo }: Tail): number {
  return Math.min(header.head, keepTo ?? header.head);
}
