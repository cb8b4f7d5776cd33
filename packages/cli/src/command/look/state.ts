import { inspect } from 'node:util';
import { checkpointOf } from '../../address/checkpoint-of.ts';
import { outputOfRun } from '../../address/output-of.ts';
import { findPlace } from '../../address/run-address.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import type { Output } from '../../output/output.ts';
import { printable, widestOf } from '../../output/printable.ts';
import { markInspected } from '../../output/style-marks.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

/** `holdfast state RUN[@SEQ]`. */
export const state: CommandFn<object> = async (context, [place = '']) => {
  const { out, paste } = context;
  await using engine = await openToRead(context);
  const address = await findPlace(engine, place);
  const { id, superstep, status, at, next, label, state: values } = await checkpointOf(engine, address);
  const result = address.seq === undefined ? await outputOfRun(engine, address.run) : undefined;
  out.result('checkpoint', { id, superstep, status, at, next, label, state: values, ...result }, () => {
    out.hint(`${id}, super-step ${superstep}, ${status}`);
    const { run, seq } = address;
    if (run.status === 'suspended' && seq === undefined) out.hint(suspendedHint(paste, run.id));
    return stateLines(out, result ?? values);
  });
  return 0;
};

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
