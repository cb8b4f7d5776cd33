import type { Change, Engine } from 'holdfast';
import { findPlace, type RunAddress } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import type { Output } from '../../output/output.ts';
import { printable, widestOf } from '../../output/printable.ts';
import { shortValue } from '../../output/short-value.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

/** `holdfast diff A B`. */
export const diff: CommandFn<object> = async (context, [a = '', b = '']) => {
  const { out } = context;
  await using engine = await openToRead(context);
  const first = await findPlace(engine, a);
  const second = await findPlace(engine, /^@\d+$/u.test(b) ? `${first.run.id}${b}` : b);
  const from = cursorOf(first);
  const to = cursorOf(second);
  const changes = await changesBetween(engine, first, second);
  out.result('diff', { from, to, changes }, () => {
    out.hint(changes.length === 0 ? `${from} and ${to} have the same state.` : `${from} → ${to}`);
    return changeLines(out, changes);
  });
  return 0;
};

async function changesBetween(engine: Engine, first: RunAddress, second: RunAddress): Promise<readonly Change[]> {
  const places = [cursorOf(first), cursorOf(second)] as const;
  if (first.run.kind !== second.run.kind)
    throw CliError.usage(`${first.run.id} and ${second.run.id} cannot be compared: only one of them is a journal run.`);
  return first.run.kind === 'journal'
    ? engine.checkpoints.diff(...places)
    : (await engine.get(first.run.id)).diff(...places);
}

function cursorOf({ run, seq }: RunAddress): string {
  return `${run.id}@${seq ?? run.head}`;
}

/** One line per change: removed values in red, added ones in green. The sign says the same without colours. */
function changeLines(out: Output, changes: readonly Change[]): readonly string[] {
  const { red, green, yellow, dim } = out.paint;
  const width = Math.min(40, widestOf(changes.map(({ path }) => path)));
  return changes.map(({ op, path, before, after }) => {
    const name = printable(path).padEnd(width);
    switch (op) {
      case 'add':
        return `${green('+')} ${name}  ${green(shortValue(after, 200))}`;
      case 'remove':
        return `${red('-')} ${name}  ${red(shortValue(before, 200))}`;
      case 'replace':
        return `${yellow('~')} ${name}  ${red(shortValue(before, 100))} ${dim('→')} ${green(shortValue(after, 100))}`;
    }
  });
}
