import { idleBit, statusOf } from './run-state.ts';

/** What a run's row says of whether somebody works on it: a worker that holds it, or a journal run that is running. */
interface WorkFacts {
  readonly worker: string | null;
  readonly loop: number;
  readonly state: number;
}

/**
 * The frontier under which a search by node finds the run; null while somebody works on it and so changes it with every
 * commit, or when it is empty. Those that are worked on are few, and looked at one by one.
 */
export function parkedAt({ worker, loop, state }: WorkFacts, frontier: string): string | null {
  if (worker !== null || (state & idleBit) !== 0) return null;
  return loop !== 0 && statusOf(state) === 'running' ? null : frontier;
}
