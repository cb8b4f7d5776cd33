import { shownStore } from '../../output/shown-store.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToWrite } from '../../project/open-engine.ts';

/** `holdfast migrate`. */
export const migrate: CommandFn<object> = async (context) => {
  const { out, project } = context;
  // Opening a store brings it up to date.
  const engine = await openToWrite(context, { mayCreate: true });
  await engine.close();
  const store = shownStore(project.store);
  out.result('migrate', { store }, () => [`${store} is up to date`]);
  return 0;
};
