import type { LogEntry } from './log-entries.ts';

/** A run and the runs that were forked from it. */
export interface LogTree {
  /** What its newest line is marked with: `head`, `fork what-if`. */
  readonly mark: string;
  /** Where it was forked from; 0 for a run that was not. */
  readonly baseSeq: number;
  /** The newest first. */
  readonly entries: readonly LogEntry[];
  readonly forks: readonly LogTree[];
}

/** One line of the drawing: lanes, and the entry at its star; lines between lanes have none. */
export interface TreeLine {
  readonly lanes: string;
  readonly entry?: LogEntry;
  readonly mark?: string;
}

/** The tree as lanes, the newest on top: a fork stands beside its base run, above what it was forked from. */
export function drawTree({ entries, forks, mark }: LogTree): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  const left = forks.toSorted((a, b) => b.baseSeq - a.baseSeq);
  // Where the base has nothing newer, no lane comes from above.
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
