import type { Run } from 'holdfast';
import type { ExitCode } from '../../failure/exit-code.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import { follow } from '../../live/follow.ts';
import type { Context } from '../../program/context.ts';

interface Done {
  readonly run: Run;
  /** What was done, for a person: `answered approval of ord_81`. */
  readonly what: string;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly wait: boolean | undefined;
}

/** Says what was written to a run, and with `--wait` what came of it. */
export async function followUp(context: Context, { run, what, value, wait }: Done): Promise<ExitCode> {
  const { out } = context;
  const { cursor } = run;
  if (out.mode === 'human' || wait !== true) {
    out.result('done', { runId: run.id, what, ...value }, () => [what]);
  }
  if (wait === true) return follow(context, run, { after: cursor, until: 'idle' });
  const { status } = await run.summary();
  if (status === 'suspended') out.hint(suspendedHint(run.id));
  else if (status !== 'completed') out.hint(`It goes on in a worker. holdfast watch ${run.id} follows it.`);
  return 0;
}
