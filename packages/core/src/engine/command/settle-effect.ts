import { holdfastError } from '../../errors/holdfast-error.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkBy } from '../../value/check/check-by.ts';
import { checkText } from '../../value/check/check-text.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { printable } from '../../value/printable.ts';
import type { EffectOutcome } from '../graph-run.ts';
import { dueUnlessSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { writeAsExternal } from './external-write.ts';

/** The outcome of an effect as it is given. */
interface GivenOutcome {
  readonly key: string;
  readonly outcome: EffectOutcome;
  readonly by?: string | undefined;
}

/** Journals the outcome of an effect whose outcome was unknown. A suspended run stays suspended. @throws HOLDFAST_NOT_FOUND */
export async function settleEffect(
  parts: EngineParts,
  runId: string,
  { key, outcome: given, by: givenBy }: GivenOutcome,
): Promise<RunHeader> {
  const outcome = checkEffectOutcome(given);
  const by = checkBy(givenBy);
  return writeAsExternal(parts, runId, (state, { header }) => {
    if (state.waits.get(key)?.kind !== 'effect') {
      throw holdfastError('HOLDFAST_NOT_FOUND', `Run "${runId}" has no pending effect with key "${printable(key)}".`, {
        details: { runId, key },
      });
    }
    const at = parts.env.clock.now();
    return {
      entries: [{ kind: 'settle', at, payload: { key, outcome, ...by } }],
      header: dueUnlessSuspended(header, at),
      answer: () => undefined,
    };
  });
}

function checkEffectOutcome(outcome: EffectOutcome): EffectOutcome {
  if (outcome === 'retry') return outcome;
  if (typeof outcome === 'object' && outcome !== null) {
    if ('error' in outcome && typeof outcome.error === 'string') return { error: checkText('error', outcome.error) };
    if ('result' in outcome) return { result: frozenCopy(outcome.result) };
  }
  throw holdfastError('HOLDFAST_INVALID_OPTION', "settle() takes { result }, { error: 'why' } or 'retry'.", {
    details: { option: 'outcome' },
  });
}
