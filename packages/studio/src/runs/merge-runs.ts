/** The rows of a page, and how many runs are new above them. */
export interface MergedRuns<R> {
  readonly rows: readonly R[];
  readonly newRuns: number;
}

/**
 * Rows never move under a reader: what is shown is replaced in place, what is new waits until someone asks for it. A row
 * that the fresh page does not have stays as it was.
 */
export function mergeRuns<R extends { readonly id: string }>(shown: readonly R[], fresh: readonly R[]): MergedRuns<R> {
  const byId = new Map(fresh.map((run) => [run.id, run]));
  const ids = new Set(shown.map(({ id }) => id));
  // What comes after the last known run is an older one that slid up, and no news.
  const lastKnown = fresh.findLastIndex(({ id }) => ids.has(id));
  const newer = lastKnown === -1 ? fresh : fresh.slice(0, lastKnown);
  return { rows: shown.map((run) => byId.get(run.id) ?? run), newRuns: newer.filter(({ id }) => !ids.has(id)).length };
}
