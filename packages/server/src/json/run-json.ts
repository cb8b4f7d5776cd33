import type { RunSummary, Wait } from 'holdfast';
import type { Scope } from '../caller/scope.ts';
import { runOf } from '../caller/scope.ts';
import type { RunJson, WaitJson } from '../schema/types.ts';
import type { Redactor } from './redact.ts';

/** Runs as JSON. The ids of runs that the caller may not see are left out of them. */
export async function runsJson(
  runs: readonly RunSummary[],
  { scope, redactor }: { readonly scope: Scope; readonly redactor: Redactor },
): Promise<readonly RunJson[]> {
  const others = runs.flatMap(({ parentId, forkedAt }) => [
    ...(parentId === null ? [] : [parentId]),
    ...(forkedAt === null ? [] : [runOf(forkedAt)]),
  ]);
  const seen = await scope.seen(others);
  return runs.map((run) => ({
    id: run.id,
    kind: run.kind,
    graph: run.graph,
    version: run.version,
    status: run.status,
    superstep: run.superstep,
    head: run.head,
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
    tags: shownTags(run.tags, redactor),
    parentId: run.parentId !== null && seen.has(run.parentId) ? run.parentId : null,
    forkedAt: run.forkedAt !== null && seen.has(runOf(run.forkedAt)) ? run.forkedAt : null,
    waits: run.waits.map(({ kind, name }) => ({ kind, name })),
    wakeAt: run.wakeAt?.toISOString() ?? null,
    worker: run.worker,
    refusals: run.refusals.map(({ worker, code, message, at }) => ({
      worker,
      code,
      message: redactor.text(['errors'], message),
      at: at.toISOString(),
    })),
  }));
}

/** One run as JSON. */
export async function runJson(run: RunSummary, call: Parameters<typeof runsJson>[1]): Promise<RunJson> {
  const [found] = await runsJson([run], call);
  return found as RunJson;
}

/** Tags without the values that are hidden. */
export function shownTags(
  tags: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, redactor.text(['tags', name], value)]));
}

/** A wait as JSON. */
export function waitJson(wait: Wait, redactor: Redactor): WaitJson {
  const { kind, id, runId, node, since, until } = wait;
  return {
    kind,
    name: kind === 'pause' ? node : wait.name,
    id,
    runId,
    node,
    since: since.toISOString(),
    ...(until !== undefined && { until: until.toISOString() }),
    ...('show' in wait && { show: redactor.value(['questions', wait.name], wait.show) }),
    ...('childId' in wait && { childId: wait.childId }),
    ...('key' in wait && { key: wait.key }),
  };
}
