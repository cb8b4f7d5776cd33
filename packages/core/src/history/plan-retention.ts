import { isTerminal } from './terminal.ts';

/** A checkpoint as retention sees it. */
export interface Keepable {
  readonly id: string;
  readonly seq: number;
  readonly covers: number;
  readonly status: string;
  readonly at: number;
}

/** What may go: a checkpoint has to meet every condition that is given. */
export interface RetentionRule {
  /** It covers less than this seq. */
  readonly before?: number | undefined;
  /** It was saved before this time. */
  readonly savedBefore?: number | undefined;
  /** It is not among this many of the newest. */
  readonly keep?: number | undefined;
  readonly keepLatestTerminal?: boolean | undefined;
}

/** Why a checkpoint stays although the rule lets it go. */
export type Protection = 'fork' | 'pending-effect' | 'waiting' | 'latest' | 'terminal';

/** Which checkpoints go, which stay, and what protected them; all lists are newest first. */
export interface RetentionPlan<C extends Keepable> {
  readonly drop: readonly C[];
  readonly retained: number;
  readonly preservedTerminal: readonly string[];
  readonly protectedBy: readonly { readonly checkpoint: string; readonly because: Protection }[];
}

interface PlanOptions<C extends Keepable> {
  /** Newest first. */
  readonly checkpoints: readonly C[];
  readonly rule: RetentionRule;
  /** The seqs that forks begin at. */
  readonly forkPoints: ReadonlySet<number>;
  /** What the run needs its latest checkpoint for. */
  readonly latest: 'latest' | 'waiting' | 'pending-effect';
  /**
   * Any checkpoint may go by itself, as in a journal run; or only the oldest, up to the first that stays, as in a graph
   * run, whose checkpoints are read from the records before them.
   */
  readonly drops: 'any' | 'oldest';
}

/** Decides what a run loses. The latest checkpoint and those that forks begin at always stay. */
export function planRetention<C extends Keepable>(options: PlanOptions<C>): RetentionPlan<C> {
  const { checkpoints, rule, forkPoints, latest, drops } = options;
  const terminal = rule.keepLatestTerminal ? checkpoints.find(({ status }) => isTerminal(status)) : undefined;
  const forked = forkedCheckpoints(checkpoints, forkPoints);
  const protection = (checkpoint: C): Protection | undefined => {
    if (checkpoint === checkpoints[0]) return latest;
    if (forked.has(checkpoint)) return 'fork';
    return checkpoint === terminal ? 'terminal' : undefined;
  };
  const drop: C[] = [];
  const protectedBy: { checkpoint: string; because: Protection }[] = [];
  for (const [age, checkpoint] of checkpoints.toReversed().entries()) {
    const isCandidate = mayGo(checkpoint, checkpoints.length - 1 - age, rule);
    const because = isCandidate ? protection(checkpoint) : undefined;
    if (because !== undefined) protectedBy.push({ checkpoint: checkpoint.id, because });
    if (isCandidate && because === undefined) drop.push(checkpoint);
    else if (drops === 'oldest') break;
  }
  return {
    drop: drop.toReversed(),
    retained: checkpoints.length - drop.length,
    preservedTerminal: terminal ? [terminal.id] : [],
    protectedBy: protectedBy.toReversed(),
  };
}

/** The last checkpoint up to each fork point. */
function forkedCheckpoints<C extends Keepable>(
  checkpoints: readonly C[],
  forkPoints: ReadonlySet<number>,
): ReadonlySet<C> {
  const forked = new Set<C>();
  const bySeq = checkpoints.toSorted((a, b) => b.seq - a.seq);
  for (const point of forkPoints) {
    const last = bySeq.find(({ seq }) => seq <= point);
    if (last !== undefined) forked.add(last);
  }
  return forked;
}

function mayGo({ covers, at }: Keepable, rank: number, { before, savedBefore, keep }: RetentionRule): boolean {
  return (
    (before === undefined || covers < before) &&
    (savedBefore === undefined || at < savedBefore) &&
    (keep === undefined || rank >= keep)
  );
}
