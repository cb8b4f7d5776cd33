import type { Engine, Outcome, RunSummary } from 'holdfast';

/** What a workflow returned. Undefined for a graph, whose output is its state, and for a run that has not completed. */
export function outputOf(outcome: Outcome | undefined): { readonly output: unknown } | undefined {
  if (outcome?.status !== 'completed' || Object.keys(outcome.state).length > 0) return undefined;
  return { output: outcome.output };
}

/** The same for a run that is not read yet. */
export async function outputOfRun(
  engine: Engine,
  { id, kind, status }: RunSummary,
): Promise<{ readonly output: unknown } | undefined> {
  if (kind !== 'graph' || status !== 'completed') return undefined;
  return outputOf(await (await engine.get(id)).outcome());
}
