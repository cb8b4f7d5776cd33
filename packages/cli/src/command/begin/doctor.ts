import { examinationsOf } from '../../doctor/examinations.ts';
import type { Finding } from '../../doctor/finding.ts';
import type { Output } from '../../output/output.ts';
import { oneLine } from '../../output/printable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';

/** `holdfast doctor`. */
export const doctor: CommandFn<object> = async (context) => {
  const { out } = context;
  const findings: Finding[] = [];
  for (const { name, examine } of examinationsOf(storeOf(context))) {
    try {
      findings.push({ name, ...(await examine(context)) });
    } catch (error) {
      findings.push({ name, level: 'bad', what: error instanceof Error ? error.message : String(error) });
    }
  }
  const isWell = findings.every(({ level }) => level !== 'bad');
  if (out.mode === 'jsonl') for (const finding of findings) out.item('finding', { ...finding }, () => '');
  else out.result('doctor', { ok: isWell, findings }, () => findings.flatMap((finding) => linesOf(out, finding)));
  return isWell ? 0 : 1;
};

/** Settings that are invalid or refused are told of by the check of the store. */
function storeOf({ project }: Context): string {
  try {
    return project.store;
  } catch {
    return '';
  }
}

function linesOf({ paint }: Output, { name, level, what, advice }: Finding): readonly string[] {
  const words = { good: paint.green('ok  '), fair: paint.yellow('note'), bad: paint.red('bad ') };
  const line = `${words[level]}  ${name.padEnd(11)}  ${oneLine(what)}`;
  return advice === undefined ? [line] : [line, `${' '.repeat(19)}${paint.dim(advice)}`];
}
