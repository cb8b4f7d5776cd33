import type { AnyGraph, StrandedRun } from 'holdfast';
import { z } from 'zod';
import { nothing } from '../../schema/common.ts';
import { graphCheckSchema } from '../../schema/timeline.ts';
import type { GraphCheckJson, VersionJson } from '../../schema/timeline-types.ts';
import { type Call, type Route, route } from '../route.ts';
import { graphNamed } from './store.ts';

const unfinished = ['pending', 'running', 'waiting', 'suspended', 'failed'] as const;
/** How many runs are counted by version. */
const maxCounted = 2_000;
const maxListed = 100;

const checkGraph = route({
  id: 'checkGraph',
  method: 'get',
  path: '/graphs/{name}/check',
  summary:
    "Counts the unfinished runs of a graph by version, and lists those that the server's own build could not continue.",
  access: 'read',
  params: z.strictObject({ name: z.string().min(1).max(256) }),
  query: nothing,
  response: graphCheckSchema,
  async handle(call, { params: { name } }) {
    return check(call, await graphNamed(call, name));
  },
});

async function check(call: Call, graph: AnyGraph): Promise<GraphCheckJson> {
  const { name, version } = graph;
  const counts = new Map<number, number>();
  let looked = 0;
  for await (const run of call.engine.runs(
    call.scope.query({ graph: name, status: [...unfinished], limit: maxCounted }),
  )) {
    looked += 1;
    counts.set(run.version, (counts.get(run.version) ?? 0) + 1);
  }
  // Nothing can be missing if there is nothing to continue.
  const stranded = looked === 0 ? [] : await strandedOf(call, graph);
  const versions = [...new Set([...counts.keys(), version])].toSorted((a, b) => b - a);
  return {
    version,
    versions: versions.map((each) => versionJson(each, counts.get(each) ?? 0, stranded)),
    stranded: stranded
      .slice(0, maxListed)
      .map(({ runId, version: of, missing }) => ({ runId, version: of, missing: [...missing] })),
    isCut: looked === maxCounted,
  };
}

function versionJson(version: number, count: number, stranded: readonly StrandedRun[]): VersionJson {
  const own = stranded.filter((run) => run.version === version);
  const missing = [...new Set(own.flatMap((run) => run.missing))];
  return { version, unfinished: count, stranded: own.length, missing: missing.slice(0, maxListed) };
}

/** Checks that are going on. Each reads every unfinished run, so that all who ask at the same time share one. */
const checking = new WeakMap<AnyGraph, Promise<readonly StrandedRun[]>>();

async function sharedCheck({ engine }: Call, graph: AnyGraph): Promise<readonly StrandedRun[]> {
  const begun = checking.get(graph);
  if (begun !== undefined) return begun;
  const check = engine.check([graph]).finally(() => checking.delete(graph));
  checking.set(graph, check);
  return check;
}

async function strandedOf(call: Call, graph: AnyGraph): Promise<readonly StrandedRun[]> {
  const { scope } = call;
  const found = (await sharedCheck(call, graph)).filter((run) => run.graph === graph.name);
  const seen = await scope.seen(found.map(({ runId }) => runId));
  return found.filter(({ runId }) => seen.has(runId));
}

/** What a deploy would strand. */
export const graphCheckRoutes: readonly Route[] = [checkGraph];
