import { inspect } from 'node:util';
import type { Checkpoint, Engine } from 'holdfast';
import { findPlace, type RunAddress } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import type { Output } from '../../output/output.ts';
import { printable, widestOf } from '../../output/printable.ts';
import { markInspected } from '../../output/style-marks.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

/** `holdfast state RUN[@SEQ]`. */
export const state: CommandFn<object> = async (context, [place = '']) => {
  const { out } = context;
  await using engine = await openToRead(context);
  const address = await findPlace(engine, place);
  const { id, superstep, status, at, next, label, state: values } = await checkpointOf(engine, address);
  out.result('checkpoint', { id, superstep, status, at, next, label, state: values }, () => {
    out.hint(`${id}, super-step ${superstep}, ${status}`);
    const { run, seq } = address;
    if (run.status === 'suspended' && seq === undefined) out.hint(suspendedHint(run.id));
    return stateLines(out, values);
  });
  return 0;
};

async function checkpointOf(engine: Engine, { run, seq }: RunAddress): Promise<Checkpoint> {
  const at = seq === undefined ? undefined : `${run.id}@${seq}`;
  if (run.graph !== '') return (await engine.get(run.id)).state(at);
  const found = await (at === undefined ? engine.checkpoints.latest(run.id) : engine.checkpoints.atOrBefore(at));
  if (found === undefined)
    throw CliError.notFound(`Run "${run.id}" has no checkpoint${at === undefined ? '' : ` at or before ${at}`}.`);
  return found;
}

/** Formats a state for people: one channel per line, wrapped if long. */
export function stateLines(out: Output, values: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(values);
  if (names.length === 0) return [out.paint.dim('(no channels)')];
  const width = widestOf(names);
  return names.flatMap((name) => {
    const text = inspect(values[name], {
      depth: 8,
      colors: out.paint.bold('x') !== 'x',
      breakLength: Math.max(40, Math.min(out.width, 120) - width - 2),
      maxArrayLength: 100,
      maxStringLength: 2_000,
    });
    const [first = '', ...rest] = markInspected(text).split('\n');
    const indent = ' '.repeat(width + 2);
    return [`${out.paint.cyan(printable(name).padEnd(width))}  ${first}`, ...rest.map((line) => indent + line)];
  });
}
