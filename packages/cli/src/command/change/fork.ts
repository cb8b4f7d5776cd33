import { findPlace } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { parseAssignments } from '../../input/assignments.ts';
import { parseTags } from '../../input/run-query.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { findGraph } from '../../project/load-graphs.ts';
import { openToChange } from '../../project/open-engine.ts';

interface ForkOptions {
  readonly before?: string;
  readonly set?: readonly string[];
  readonly next?: readonly string[];
  readonly id?: string;
  readonly label?: string;
  readonly tag?: readonly string[];
  readonly resume?: boolean;
}

/** `holdfast fork RUN@SEQ --set k=v`. */
export const fork: CommandFn<ForkOptions> = async (context, [place = ''], options) => {
  const { before, set, next, id, label, tag, resume } = options;
  const { out, paste } = context;
  const { engine: opened, graphs } = await openToChange(context);
  await using engine = opened;
  const { run: base, seq } = await findPlace(engine, place);
  if (before !== undefined && seq !== undefined) throw CliError.usage('Pass RUN@SEQ or --before, not both.');
  const schema = findGraph(graphs, base.graph)?.inputSchema();
  const run = await engine.get(base.id);
  const forked = await run.fork({
    id,
    label,
    before,
    next,
    resume,
    ...(seq !== undefined && { at: `${base.id}@${seq}` }),
    ...(set !== undefined && { set: parseAssignments(set, schema) }),
    ...(tag !== undefined && { tags: parseTags(tag) }),
  });
  const summary = await forked.summary();
  out.result('run', { ...summary }, () => [forked.id]);
  const then = summary.status === 'suspended' ? suspendedHint(paste, forked.id) : `${forked.id} is ${summary.status}.`;
  out.hint(`Forked from ${summary.forkedAt}. ${then}`);
  return 0;
};
