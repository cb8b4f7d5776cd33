import type { ExitCode } from '../../failure/exit-code.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import { type Followed, follow } from '../../live/follow.ts';
import type { Context } from '../../program/context.ts';
import { shellWord } from '../../program/paste.ts';

interface Done extends Followed {
  /** What was done, for people: `answered approval of ord_81`. */
  readonly what: string;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly wait: boolean | undefined;
}

/** Reports what was written to a run and, with `--wait`, follows the run. */
export async function followUp(context: Context, { engine, run, what, value, wait }: Done): Promise<ExitCode> {
  const { out, paste } = context;
  const { cursor } = run;
  if (out.mode === 'human' || wait !== true) {
    out.result('done', { runId: run.id, what, ...value }, () => [what]);
  }
  if (wait === true) return follow(context, { engine, run }, { after: cursor, until: 'idle' });
  const { status } = await run.summary();
  if (status === 'suspended') out.hint(suspendedHint(paste, run.id));
  else if (status !== 'completed')
    out.hint(`A worker continues it. Follow it with: ${paste(`watch ${shellWord(run.id)}`)}`);
  return 0;
}
