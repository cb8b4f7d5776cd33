import { isCompletable } from '../../completion/completable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { isOwnedByUs } from '../../project/is-owned-by-us.ts';
import { openToRead } from '../../project/open-engine.ts';

/** `holdfast complete [beginning]`, which completion scripts call. It loads no code of the project. */
export const complete: CommandFn<object> = async (context, [beginning = '']) => {
  const { out, project } = context;
  // TAB is no consent: in /tmp or another user's folder, a stranger's package.json must not choose the file we open.
  if (project.storeChosenBy !== undefined && !isOwnedByUs(project.storeChosenBy)) return 0;
  await using engine = await openToRead(context);
  for await (const { id } of engine.runs({ idPrefix: beginning, limit: 50 })) if (isCompletable(id)) out.line(id);
  return 0;
};
