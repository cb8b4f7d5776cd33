import type { Takeover } from 'holdfast';
import { durationMs } from '../../input/duration.ts';
import { parseCount } from '../../input/numbers.ts';
import { handleSignals } from '../../live/interrupt.ts';
import { RunBoard } from '../../live/run-board.ts';
import { shownStore } from '../../output/shown-store.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openWithCode } from '../../project/open-engine.ts';

interface WorkOptions {
  readonly concurrency?: string;
  readonly drain?: string;
}

const noticedBy = { death: 'its process or connection is gone', lease: 'its lease ended' } as const;

function takeoverText({ runId, workerId, noticed }: Takeover): string {
  return `Took over run "${runId}": worker "${workerId}" died (${noticedBy[noticed]}).`;
}

/** `holdfast work`. */
export const work: CommandFn<WorkOptions> = async (context, _args, { concurrency, drain }) => {
  const { out } = context;
  const settings = {
    ...(concurrency !== undefined && { concurrency: parseCount(concurrency, '--concurrency') }),
    ...(drain !== undefined && { drain: durationMs(drain, '--drain') }),
  };
  const { engine: opened, graphs } = await openWithCode(context);
  await using engine = opened;
  const board = new RunBoard(out, engine);
  using interrupt = handleSignals(() => {
    board.print(
      out.notePaint.dim(
        'Draining: finishing the steps in flight. Press Ctrl-C again to quit now; committed work is safe.',
      ),
    );
  });
  const { signal } = interrupt;
  out.hint(
    `Working on ${graphs.map(({ name }) => name).join(', ')} in ${shownStore(context.project.store)}. Press Ctrl-C to stop.`,
  );
  const watching = board.watch(signal);
  const onTakeover = (takeover: Takeover): void => board.print(takeoverText(takeover));
  await engine.work({ ...settings, signal, onTakeover }).done;
  await watching;
  await board.look();
  board.end();
  return interrupt.exitCode() ?? 0;
};
