import type { AnyGraph, PruneReport } from 'holdfast';
import { z } from 'zod';
import { ApiError } from '../../api-error.ts';
import { seqOf } from '../../caller/scope.ts';
import { plain } from '../../json/plain.ts';
import { pruneBody, prunedSchema } from '../../schema/command.ts';
import { nothing } from '../../schema/common.ts';
import { callerSchema, graphSchema, graphsSchema, overviewSchema, storeSchema } from '../../schema/look.ts';
import type { GraphJson, GraphSizeJson, OverviewJson } from '../../schema/types.ts';
import { countAsks } from '../list/asks.ts';
import { countRuns } from '../list/runs.ts';
import { type Call, type Route, route } from '../route.ts';

const maxRuns = 10_000;
const sampledRuns = 3;
const sampledRecords = 100;

const overview = route({
  id: 'getOverview',
  method: 'get',
  path: '/overview',
  summary: 'How many runs there are of each status, and how many open questions.',
  access: 'read',
  params: nothing,
  query: nothing,
  response: overviewSchema,
  async handle(call) {
    const of = (status: string) => countRuns(call, `status:${status}`);
    const runs: OverviewJson['runs'] = {
      pending: await of('pending'),
      running: await of('running'),
      waiting: await of('waiting'),
      suspended: await of('suspended'),
      completed: await of('completed'),
      failed: await of('failed'),
      cancelled: await of('cancelled'),
    };
    return { runs, asks: await countAsks(call) };
  },
});

const whoAmI = route({
  id: 'getCaller',
  method: 'get',
  path: '/caller',
  summary: 'Who the server thinks you are.',
  access: 'read',
  params: nothing,
  query: nothing,
  response: callerSchema,
  handle: async ({ caller, server }) => ({
    by: caller.by,
    admin: caller.admin === true,
    readOnly: server.isReadOnly || caller.readOnly === true,
  }),
});

const listGraphs = route({
  id: 'listGraphs',
  method: 'get',
  path: '/graphs',
  summary: 'The graphs that the server knows, with their structure and the JSON Schema of their input.',
  access: 'read',
  params: nothing,
  query: nothing,
  response: graphsSchema,
  async handle({ server, scope }) {
    const graphs: GraphJson[] = [];
    for (const graph of server.graphs.values()) if (await scope.reads(graph.name)) graphs.push(graphJson(graph));
    return { graphs };
  },
});

const getGraph = route({
  id: 'getGraph',
  method: 'get',
  path: '/graphs/{name}',
  summary: 'A graph: its structure and the JSON Schema of its input.',
  access: 'read',
  params: z.strictObject({ name: z.string().min(1).max(256) }),
  query: nothing,
  response: graphSchema,
  handle: async (call, { params: { name } }) => graphJson(await graphNamed(call, name)),
});

/** A graph whose runs the caller may see. @throws ApiError */
export async function graphNamed({ server, scope }: Call, name: string): Promise<AnyGraph> {
  const graph = server.graphs.get(name);
  if (graph === undefined || !(await scope.reads(name)))
    throw new ApiError(404, 'HTTP_NOT_FOUND', `The server has no graph "${name}".`);
  return graph;
}

function graphJson(graph: AnyGraph): GraphJson {
  const { name, version, fingerprint } = graph;
  return {
    name,
    version,
    fingerprint,
    structure: graph.structure(),
    inputSchema: plain(graph.inputSchema()),
    mermaid: graph.mermaid(),
  };
}

const getStore = route({
  id: 'getStore',
  method: 'get',
  path: '/store',
  summary: 'How many runs and records each graph has in the store, and about how many bytes. Looks at 10,000 runs.',
  access: 'read',
  params: nothing,
  query: nothing,
  response: storeSchema,
  async handle(call) {
    const sizes = new Map<string, { runs: number; records: number; sample: string[] }>();
    let looked = 0;
    for await (const { id, graph, head, forkedAt } of call.engine.runs(call.scope.query({ limit: maxRuns }))) {
      looked += 1;
      if (!(await call.scope.reads(graph))) continue;
      const size = sizes.get(graph) ?? { runs: 0, records: 0, sample: [] };
      const base = forkedAt === null ? 0 : seqOf(forkedAt);
      size.runs += 1;
      size.records += head - base;
      if (size.sample.length < sampledRuns) size.sample.push(id);
      sizes.set(graph, size);
    }
    const graphs: GraphSizeJson[] = [];
    for (const [graph, { runs, records, sample }] of sizes)
      graphs.push({ graph, runs, records, bytes: Math.round(records * (await bytesPerRecord(call, sample))) });
    return { graphs, isCut: looked === maxRuns };
  },
});

/** How large the records of some runs are, as JSON. */
async function bytesPerRecord({ engine }: Call, sample: readonly string[]): Promise<number> {
  let records = 0;
  let bytes = 0;
  for (const runId of sample) {
    for (const { payload } of await engine.journal.tail(runId, sampledRecords)) {
      records += 1;
      bytes += JSON.stringify(plain(payload)).length;
    }
  }
  return records === 0 ? 0 : bytes / records;
}

const prune = route({
  id: 'prune',
  method: 'post',
  path: '/prune',
  summary: 'Drops old checkpoints, or says what it would drop: nothing goes unless apply is true.',
  access: 'admin',
  params: nothing,
  query: nothing,
  body: pruneBody,
  response: prunedSchema,
  about: ({ runId }, { dryRun }) => ({ ...(runId !== undefined && { runId }), dryRun }),
  async handle({ engine, scope }, { body: { apply = false, ...policy } }) {
    if (policy.runId !== undefined) await scope.allow('prune', (await scope.run(policy.runId)).graph);
    else if (scope.isBound)
      throw new ApiError(403, 'HTTP_FORBIDDEN', 'You may not see all runs: prune one at a time. Pass runId.');
    const report: PruneReport = await engine.prune({ ...policy, dryRun: !apply });
    return { ...report, dryRun: !apply };
  },
});

/** The store as a whole. */
export const storeRoutes: readonly Route[] = [overview, whoAmI, listGraphs, getGraph, getStore, prune];
