/** Runs that failed for the same reason. */
export interface Cause<R> {
  readonly key: string;
  readonly graph: string;
  readonly name: string;
  readonly message: string;
  readonly runs: readonly R[];
}

/** Groups failed runs by graph and error, the largest group first; among equals, the one of the newest failure. */
export function causesOf<R extends { readonly graph: string }>(
  runs: readonly R[],
  errorOf: (run: R) => { readonly name: string; readonly message: string },
): readonly Cause<R>[] {
  const causes = new Map<string, Cause<R> & { readonly runs: R[] }>();
  for (const run of runs) {
    const { name, message } = errorOf(run);
    const key = `${run.graph}\n${name}\n${shapeOf(message)}`;
    const cause = causes.get(key) ?? { key, graph: run.graph, name, message, runs: [] };
    cause.runs.push(run);
    causes.set(key, cause);
  }
  return [...causes.values()].toSorted((one, other) => other.runs.length - one.runs.length);
}

/** A message without what differs from run to run: numbers, and what stands in quotation marks. */
function shapeOf(message: string): string {
  return message.replaceAll(/"[^"]*"/gu, '""').replaceAll(/\d+/gu, '0');
}
