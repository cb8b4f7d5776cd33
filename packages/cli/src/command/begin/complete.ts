import { isCompletable } from '../../completion/completable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';
import type { Project } from '../../project/project.ts';

/** `holdfast complete [prefix]`, called by the completion scripts. Loads none of the project's code. */
export const complete: CommandFn<object> = async (context, [prefix = '']) => {
  const { out, project } = context;
  // Pressing TAB is not consent: in /tmp or another user's folder, a stranger's package.json must not choose what we open.
  if (!isTrusted(project)) return 0;
  await using engine = await openToRead(context);
  for await (const { id } of engine.runs({ idPrefix: prefix, limit: 50 })) if (isCompletable(id)) out.line(id);
  return 0;
};

function isTrusted(project: Project): boolean {
  try {
    return project.isStoreTrusted;
  } catch {
    // Settings that are invalid or refused are reported by the command itself.
    return false;
  }
}
