import { oneLine } from '../output/printable.ts';
import { shortDuration } from '../output/times.ts';

/** A failed attempt of a node, or of the step that is named. */
interface Failure {
  readonly step: string | undefined;
  readonly at: Date;
  readonly retryAt: Date | undefined;
  readonly error: { readonly code?: unknown; readonly message: string; readonly cause?: unknown };
}

/** What comes after a failed attempt, and why it failed: `, next attempt in 2s: connection reset`. */
export function failureText({ step, at, retryAt, error }: Failure): string {
  const next = retryAt === undefined ? '' : `, next attempt in ${shortDuration(retryAt.getTime() - at.getTime())}`;
  // The line already says which node or step failed.
  const isWrapper = error.code === (step === undefined ? 'HOLDFAST_NODE_FAILED' : 'HOLDFAST_STEP_FAILED');
  const cause = error.cause as { readonly message?: unknown } | undefined;
  const reason = isWrapper && typeof cause?.message === 'string' ? cause.message : error.message;
  return `${next}: ${oneLine(reason)}`;
}
