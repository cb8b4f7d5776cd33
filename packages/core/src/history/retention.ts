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
  /** Covers less than this seq. */
  readonly before?: number | undefined;
  /** Saved before this time. */
  readonly savedBefore?: number | undefined;
  /** Not among the newest so many. */
  readonly keep?: number | undefined;
  readonly keepLatestTerminal?: boolean | undefined;
}

/** Why a checkpoint stays that the rule would let go. */
export type Protection = 'fork' | 'pending-effect' | 'waiting' | 'latest' | 'terminal';

/** Which checkpoints go and which stay, with what protected them. */
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
  /** The seqs that living forks stand on. */
  readonly forkBases: ReadonlySet<number>;
}

/** Decides what a journal run may lose. The latest checkpoint and whatever a fork stands on always stay. */
export function planRetention<C extends Keepable>({ checkpoints, rule, forkBases }: PlanOptions<C>): RetentionPlan<C> {
  const terminal = rule.keepLatestTerminal ? checkpoints.find(({ status }) => isTerminal(status)) : undefined;
  const protection = (checkpoint: C): Protection | undefined => {
    if (checkpoint === checkpoints[0]) return 'latest';
    if (forkBases.has(checkpoint.seq)) return 'fork';
    return checkpoint === terminal ? 'terminal' : undefined;
  };
  const drop: C[] = [];
  const protectedBy: { checkpoint: string; because: Protection }[] = [];
  for (const [rank, checkpoint] of checkpoints.entries()) {
    if (!mayGo(checkpoint, rank, rule)) continue;
    const because = protection(checkpoint);
    if (because === undefined) drop.push(checkpoint);
    else protectedBy.push({ checkpoint: checkpoint.id, because });
  }
  const retained = checkpoints.length - drop.length;
  return { drop, retained, preservedTerminal: terminal ? [terminal.id] : [], protectedBy };
}

interface FloorOptions<C extends Keepable> extends PlanOptions<C> {
  /** What needs the latest checkpoint. */
  readonly latest: 'latest' | 'waiting' | 'pending-effect';
}

/**
 * Decides what a graph run may lose. Its checkpoints are ends of records, so only the oldest can go, up to a floor: the
 * first that stays. What a fork stands on, and what the run itself needs to go on, always stays.
 */
export function planFloor<C extends Keepable>(options: FloorOptions<C>): RetentionPlan<C> {
  const { checkpoints, rule, forkBases, latest } = options;
  const lowestBase = Math.min(...forkBases);
  const terminal = rule.keepLatestTerminal ? checkpoints.find(({ status }) => isTerminal(status)) : undefined;
  const forked = checkpoints.find(({ seq }) => seq <= lowestBase);
  const protection = (checkpoint: C): Protection | undefined => {
    if (checkpoint === checkpoints[0]) return latest;
    if (checkpoint === forked) return 'fork';
    return checkpoint === terminal ? 'terminal' : undefined;
  };
  const drop: C[] = [];
  const protectedBy: { checkpoint: string; because: Protection }[] = [];
  for (let rank = checkpoints.length - 1; rank >= 0; rank -= 1) {
    const checkpoint = checkpoints[rank] as C;
    if (!mayGo(checkpoint, rank, rule)) break;
    const because = protection(checkpoint);
    if (because !== undefined) {
      protectedBy.push({ checkpoint: checkpoint.id, because });
      break;
    }
    drop.push(checkpoint);
  }
  const retained = checkpoints.length - drop.length;
  return { drop, retained, preservedTerminal: terminal ? [terminal.id] : [], protectedBy };
}

function mayGo({ covers, at }: Keepable, rank: number, { before, savedBefore, keep }: RetentionRule): boolean {
  return (
    (before === undefined || covers < before) &&
    (savedBefore === undefined || at < savedBefore) &&
    (keep === undefined || rank >= keep)
  );
}
