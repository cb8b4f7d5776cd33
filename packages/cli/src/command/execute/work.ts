import { durationMs } from '../../input/duration.ts';
import { parseCount } from '../../input/numbers.ts';
import { heedSignals } from '../../live/interrupt.ts';
import { RunBoard } from '../../live/run-board.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openWithCode } from '../../project/open-engine.ts';

interface WorkOptions {
  readonly concurrency?: string;
  readonly drain?: string;
}

/** `holdfast work`. */
export const work: CommandFn<WorkOptions> = async (context, _args, { concurrency, drain }) => {
  const { out } = context;
  const settings = {
    ...(concurrency !== undefined && { concurrency: parseCount(concurrency, '--concurrency') }),
    ...(drain !== undefined && { drainMs: durationMs(drain, '--drain') }),
  };
  const { engine: opened, graphs } = await openWithCode(context);
  await using engine = opened;
  const board = new RunBoard(out, engine);
  using interrupt = heedSignals(() => {
    board.print(
      out.notePaint.dim('Draining: steps in flight may finish. Once more ends it at once; nothing committed is lost.'),
    );
  });
  const { signal } = interrupt;
  out.hint(`Working on ${graphs.map(({ name }) => name).join(', ')} in ${context.project.store}. Ctrl-C drains.`);
  const watching = board.watch(signal);
  await engine.work({ ...settings, signal });
  await watching;
  await board.look();
  board.end();
  return interrupt.exitCode() ?? 0;
};
