import type { AnyShape, Engine, Graph, RunOptions } from 'holdfast';
import { CliError } from '../../failure/cli-error.ts';
import { exitCodeOfRun } from '../../failure/exit-code.ts';
import { parseAssignments } from '../../input/assignments.ts';
import { durationMs } from '../../input/duration.ts';
import { jsonOrStdin } from '../../input/json-or-stdin.ts';
import { parseCount } from '../../input/numbers.ts';
import { parseTags } from '../../input/run-query.ts';
import { eventLine, tellOutcome } from '../../live/follow.ts';
import { handleSignals } from '../../live/interrupt.ts';
import { shortValue } from '../../output/short-value.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { graphNamed } from '../../project/load-graphs.ts';
import { openWithCode } from '../../project/open-engine.ts';
import { stateLines } from '../look/state.ts';

interface StartOptions {
  readonly id?: string;
  readonly turn?: string;
  readonly input?: string;
  readonly tag?: readonly string[];
  readonly maxSupersteps?: string;
  readonly timeout?: string;
}

type Start = Parameters<Engine['start']>;

async function startArgs(
  graphs: Parameters<typeof graphNamed>[0],
  [name = '', ...assignments]: readonly string[],
  { id, turn, input, tag, maxSupersteps, timeout }: StartOptions,
): Promise<readonly [Graph<AnyShape>, Start[1], RunOptions]> {
  if (input !== undefined && assignments.length > 0) {
    throw CliError.usage('Pass the input as --input JSON or as k=v, not both.');
  }
  const graph = graphNamed(graphs, name) as Graph<AnyShape>;
  const value =
    input === undefined ? parseAssignments(assignments, graph.inputSchema()) : await jsonOrStdin(input, '--input');
  const options = {
    id,
    turn,
    ...(tag !== undefined && { tags: parseTags(tag) }),
    ...(maxSupersteps !== undefined && { maxSupersteps: parseCount(maxSupersteps, '--max-supersteps') }),
    ...(timeout !== undefined && { timeout: durationMs(timeout, '--timeout') }),
  };
  return [graph, value, options];
}

/** `holdfast run GRAPH k=v…`. */
export const run: CommandFn<StartOptions> = async (context, args, options) => {
  const { out, paste } = context;
  const { engine: opened, graphs } = await openWithCode(context);
  await using engine = opened;
  using interrupt = handleSignals();
  const { signal } = interrupt;
  const started = await engine.start(...(await startArgs(graphs, args, options)));
  out.hint(`run ${started.id}`);
  try {
    for await (const event of started.events({ after: started.cursor, until: 'idle', signal })) {
      if (out.mode === 'jsonl') out.item('event', { ...event }, () => '');
      else if (out.mode === 'human') out.note(eventLine(out, event));
    }
    const outcome = await started.outcome({ signal });
    tellOutcome(context, started.id, outcome);
    out.result('outcome', { runId: started.id, ...outcome }, () =>
      outcome.status === 'completed' && Object.keys(outcome.state).length === 0
        ? [shortValue(outcome.output, 2_000)]
        : stateLines(out, outcome.state),
    );
    return exitCodeOfRun(outcome.status);
  } catch (error) {
    const exitCode = interrupt.exitCode();
    if (exitCode === undefined) throw error;
    out.hint(`Interrupted. Nothing is lost. Continue ${started.id} with: ${paste('recover')}`);
    return exitCode;
  }
};

/** `holdfast submit GRAPH k=v…`. */
export const submit: CommandFn<StartOptions> = async (context, args, options) => {
  const { out, paste } = context;
  const { engine: opened, graphs } = await openWithCode(context, { executes: false });
  await using engine = opened;
  const started = await engine.submit(...(await startArgs(graphs, args, options)));
  out.result('run', { ...(await started.summary()) }, () => [started.id]);
  out.hint(`A worker executes it. Start one with: ${paste('work')}`);
  return 0;
};
