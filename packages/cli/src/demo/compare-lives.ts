import type { Trace } from './support-agent.ts';

/** What happened to a call in one worker. */
export type Fate = 'executed' | 'replayed' | 'killed' | 'kept' | '';

/** A call and what happened to it in each worker. */
export interface ComparedCall {
  readonly runId: string;
  readonly call: string;
  readonly first: Fate;
  readonly second: Fate;
}

/** Every call of both workers, grouped by run, in the order in which the code reached them. */
export function compareLives(first: readonly Trace[], second: readonly Trace[]): readonly ComparedCall[] {
  const calls = new Map<string, Pick<ComparedCall, 'runId' | 'call'>>();
  for (const { runId, call } of [...first, ...second]) calls.set(`${runId} ${call}`, { runId, call });
  const byRun = [...calls.values()].toSorted((left, right) => left.runId.localeCompare(right.runId, 'en'));
  return byRun.map(({ runId, call }) => {
    const before = fateIn(first, runId, call);
    const after = fateIn(second, runId, call);
    // Its super-step was committed, so the second worker never reached it.
    return { runId, call, first: before, second: after === '' && before === 'executed' ? 'kept' : after };
  });
}

function fateIn(traces: readonly Trace[], runId: string, call: string): Fate {
  const seen = new Set(traces.filter((each) => each.runId === runId && each.call === call).map(({ how }) => how));
  if (seen.has('executed')) return 'executed';
  if (seen.has('begun')) return 'killed';
  return seen.has('reached') ? 'replayed' : '';
}
