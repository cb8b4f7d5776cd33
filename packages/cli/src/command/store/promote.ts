import type { PromoteProgress, StoreUrl } from 'holdfast';
import { handleSignals } from '../../live/interrupt.ts';
import { ProgressBar } from '../../live/progress-bar.ts';
import { counted } from '../../output/counted.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';
import { absoluteStore } from '../../project/project.ts';

/** `holdfast promote FROM TO`. */
export const promoteStore: CommandFn<object> = async (context, [from = '', to = '']) => {
  const { out, cwd } = context;
  const source = absoluteStore(from, cwd);
  const total = await countRuns(source);
  const { promote } = await import('holdfast');
  using interrupt = handleSignals();
  const bar = new ProgressBar(out, total);
  const onProgress = ({ phase, runs }: PromoteProgress): void => bar.show(phase, runs);
  try {
    const report = await promote(source as StoreUrl, absoluteStore(to, cwd) as StoreUrl, {
      onProgress,
      signal: interrupt.signal,
    });
    bar.end();
    const { runs, copied, skipped, records } = report;
    out.result('promote', { ...report }, () => [
      `${counted(runs, 'run')}: ${copied} copied, ${skipped} already identical; ${counted(records, 'record')} compared`,
    ]);
    return 0;
  } catch (error) {
    bar.end();
    const exitCode = interrupt.exitCode();
    if (exitCode === undefined) throw error;
    out.hint('Interrupted. Run the same command again to continue.');
    return exitCode;
  }
};

/** Also fails if the source does not exist, before a target is created. */
async function countRuns(store: string): Promise<number> {
  await using engine = await openToRead({ project: { store } });
  const found = new Set<string>();
  for await (const { id } of engine.runs()) found.add(id);
  return found.size;
}
