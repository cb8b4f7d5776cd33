import type { LogEntry } from './log-entries.ts';

/** A run and the runs that were forked from it. */
export interface LogTree {
  /** The mark on its newest line: `head`, `fork what-if`. */
  readonly mark: string;
  /** Where it was forked; 0 for a run that is not a fork. */
  readonly baseSeq: number;
  /** Newest first. */
  readonly entries: readonly LogEntry[];
  readonly forks: readonly LogTree[];
}

/** One line of the drawing: its lanes and, at the star, an entry. Connecting lines have no entry. */
export interface TreeLine {
  readonly lanes: string;
  readonly entry?: LogEntry;
  readonly mark?: string;
}

/** Draws the tree as lanes, newest on top. A fork is drawn next to its base run, above the entry it was forked from. */
export function drawTree({ entries, forks, mark }: LogTree): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  const left = forks.toSorted((a, b) => b.baseSeq - a.baseSeq);
  // If the base run has no newer entry, no lane comes from above.
  let hasLane = false;
  const drawFork = (fork: LogTree): void => {
    const lane = hasLane ? '| ' : '  ';
    for (const line of drawTree(fork)) lines.push({ ...line, lanes: `${lane}${line.lanes}` });
    lines.push({ lanes: hasLane ? '|/' : ' /' });
    hasLane = true;
  };
  let isFirst = true;
  for (const entry of entries) {
    while ((left[0]?.baseSeq ?? 0) >= entry.seq) drawFork(left.shift() as LogTree);
    lines.push({ lanes: '* ', entry, ...(isFirst && { mark }) });
    isFirst = false;
    hasLane = true;
  }
  for (const fork of left) drawFork(fork);
  return lines;
}
