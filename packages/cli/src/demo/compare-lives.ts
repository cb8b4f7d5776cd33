import type { Trace } from './support-agent.ts';

/** What became of a call in one life of the worker. */
export type Fate = 'executed' | 'replayed' | 'killed' | 'kept' | '';

/** A call and what became of it, life by life. */
export interface ComparedCall {
  readonly run: string;
  readonly call: string;
  readonly first: Fate;
  readonly second: Fate;
}

/** Every call of both lives, run by run, in the order in which the code came to them. */
export function compareLives(first: readonly Trace[], second: readonly Trace[]): readonly ComparedCall[] {
  const calls = new Map<string, Pick<ComparedCall, 'run' | 'call'>>();
  for (const { run, call } of [...first, ...second]) calls.set(`${run} ${call}`, { run, call });
  const byRun = [...calls.values()].toSorted((left, right) => left.run.localeCompare(right.run, 'en'));
  return byRun.map(({ run, call }) => {
    const before = fateIn(first, run, call);
    const after = fateIn(second, run, call);
    // Its step was committed: the second life had no reason to come to it again.
    return { run, call, first: before, second: after === '' && before === 'executed' ? 'kept' : after };
  });
}

function fateIn(traces: readonly Trace[], run: string, call: string): Fate {
  const seen = new Set(traces.filter((each) => each.run === run && each.call === call).map(({ how }) => how));
  if (seen.has('executed')) return 'executed';
  if (seen.has('begun')) return 'killed';
  return seen.has('reached') ? 'replayed' : '';
}
