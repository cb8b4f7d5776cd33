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
    `${ok ? out.paint.green('whole') : out.paint.red(`${corruption.length} corrupt`)}: ${records} records, ${snapshots} snapshots`,
  ]);
  if (!ok)
    out.hint('Keep a copy of the store before anything else is done with it. docs/reliability.md says what is safe.');
  return ok ? 0 : 1;
};
