/**
 * What an engine loads when it is first needed. Loading takes time of the machine, in which the events of a world would go
 * on: the first world of a process would not be the same as later ones. So all of it is loaded before any world begins.
 */
export const loadedEarly: Promise<unknown> = Promise.all([
  import('../../src/engine/command/fork-run.ts'),
  import('../../src/engine/retention/prune-runs.ts'),
  import('../../src/engine/retention/tell-pruned.ts'),
]);
