/** What is fuzzed: files to import, records in a store, its rows and lines, records in an encrypted store, the command line's arguments, what it prints, and commands that continue until they are ended. */
export const harnessNames = ['import', 'record', 'row', 'encrypted', 'arguments', 'terminal', 'long'] as const;

/** The name of a harness. */
export type HarnessName = (typeof harnessNames)[number];

/** Whether the harness belongs to the command line, which has a lane of its own. */
function isOfCli(harness: HarnessName): boolean {
  return harness === 'arguments' || harness === 'terminal' || harness === 'long';
}

/** The source of a harness's lane, from the root of the repository. */
export function laneOf(harness: HarnessName): string {
  return `packages/${isOfCli(harness) ? 'cli' : 'core'}/test/fuzz/lane.ts`;
}

/** The same, as `scripts/bundle.mjs` makes it. */
export function builtLaneOf(harness: HarnessName): string {
  return `packages/${isOfCli(harness) ? 'cli' : 'core'}/test/fuzz/dist/test/fuzz/lane.js`;
}
