import { counted } from '../../output/counted.ts';
import { printable } from '../../output/printable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

/** `holdfast verify`. */
export const verify: CommandFn<object> = async (context) => {
  const { out } = context;
  await using engine = await openToRead(context);
  const report = await engine.verify();
  const { ok, records, snapshots, corruption } = report;
  out.result('verify', { ...report }, () => [
    ...corruption.map(({ where, what }) => `${out.paint.red('corrupt')}  ${printable(where)}  ${printable(what)}`),
    `${ok ? out.paint.green('ok') : out.paint.red(`${corruption.length} corrupt`)}: ${counted(records, 'record')}, ${counted(snapshots, 'snapshot')}`,
  ]);
  if (!ok) out.hint('Copy the store before you do anything else with it. See docs/reliability.md.');
  return ok ? 0 : 1;
};
