import type { RunSummary } from 'holdfast';
import { z } from 'zod';
import { invalidRequest } from '../../api-error.ts';
import { runOf } from '../../caller/scope.ts';
import { runsJson } from '../../json/run-json.ts';
import { parseRunQuery } from '../../query/parse-run-query.ts';
import { count, id, nothing } from '../../schema/common.ts';
import { countSchema } from '../../schema/look.ts';
import { forkTreeSchema, runsPageSchema } from '../../schema/run.ts';
import type { CheckpointJson, CountJson } from '../../schema/types.ts';
import { type Call, type Route, route, runParams } from '../route.ts';
import { checkpointsOf } from '../run/checkpoints.ts';

/** How many runs a page looks at, if the store cannot apply a condition. */
const maxLooked = 2_000;
/** Counting stops here. */
const maxCounted = 1_000;
const maxTree = 500;
const maxTreeCheckpoints = 1_000;

const q: z.ZodType<string> = z
  .string()
  .max(1_000)
  .default('')
  .describe('status:waiting graph:refunds node:approve tag:eu age>1h "text"');

interface Looked {
  readonly run: RunSummary;
  readonly isMatch: boolean;
}

/** The runs that the store finds for a query, and whether they match. None if the query is about runs of others. */
async function* matching(call: Call, text: string, after?: string): AsyncGenerator<Looked> {
  const { scope, redactor } = call;
  const { query, matches } = parseRunQuery(text, Date.now(), (tag) => redactor.at(['tags', tag]).isWhole);
  const bound = scope.query({ ...query, after });
  if (bound === undefined) return;
  for (const other of [query.parentId, query.forkOf])
    if (other !== undefined && scope.isBound && (await scope.find(other)) === undefined) return;
  for await (const run of call.engine.runs(bound)) {
    const isMatch = (matches === undefined || matches(run)) && (await scope.reads(run.graph));
    yield { run, isMatch };
  }
}

/** Counts up to a limit. */
export async function countRuns(call: Call, text: string): Promise<CountJson> {
  let found = 0;
  let looked = 0;
  for await (const { isMatch } of matching(call, text)) {
    looked += 1;
    if (isMatch) found += 1;
    if (found > maxCounted) return { count: maxCounted, isCut: true };
    if (looked >= maxLooked) return { count: found, isCut: true };
  }
  return { count: found, isCut: false };
}

const listRuns = route({
  id: 'listRuns',
  method: 'get',
  path: '/runs',
  summary: 'Lists runs, newest first.',
  access: 'read',
  params: nothing,
  query: z.strictObject({ q, after: id.optional(), limit: count(1, 200, 50) }),
  response: runsPageSchema,
  async handle(call, { query: { q: text, after, limit } }) {
    if (after !== undefined && (await call.scope.find(after)) === undefined)
      throw invalidRequest('query.after: there is no such run. Begin with the first page again.');
    const found: RunSummary[] = [];
    let looked = 0;
    let last: string | undefined;
    let isLast = true;
    for await (const { run, isMatch } of matching(call, text, after)) {
      if (found.length === limit || looked === maxLooked) {
        isLast = false;
        break;
      }
      looked += 1;
      last = run.id;
      if (isMatch) found.push(run);
    }
    // The next page goes on after the last run that was looked at, whether it matched or not.
    const next = isLast ? null : (last ?? null);
    return { runs: await runsJson(found, call), next };
  },
});

const countRoute = route({
  id: 'countRuns',
  method: 'get',
  path: '/runs/count',
  summary: 'Counts runs, up to 1,000.',
  access: 'read',
  params: nothing,
  query: z.strictObject({ q }),
  response: countSchema,
  handle: (call, { query }) => countRuns(call, query.q),
});

const forkTree = route({
  id: 'getForkTree',
  method: 'get',
  path: '/runs/{runId}/tree',
  summary:
    'The run that this one goes back to, with all its forks and theirs, up to 500, and the newest n checkpoints of each.',
  access: 'read',
  params: runParams,
  query: z.strictObject({ n: count(0, 100, 20) }),
  response: forkTreeSchema,
  async handle(call, { params, query: { n } }) {
    const root = await rootOf(call, await call.scope.run(params.runId));
    const runs = [root];
    let isCut = false;
    for (let at = 0; at < runs.length && !isCut; at += 1) {
      const forks = call.scope.query({ forkOf: (runs[at] as RunSummary).id, limit: maxTree });
      for await (const fork of call.engine.runs(forks)) {
        isCut = runs.length === maxTree;
        if (isCut) break;
        runs.push(fork);
      }
    }
    const checkpoints = await newestCheckpoints(call, runs, n);
    return { root: root.id, runs: await runsJson(runs, call), checkpoints, isCut };
  },
});

/** The newest checkpoints of each run's own. A tree of very many runs has those of its oldest ones. */
async function newestCheckpoints(
  call: Call,
  runs: readonly RunSummary[],
  limit: number,
): Promise<Record<string, readonly CheckpointJson[]>> {
  const found: [string, readonly CheckpointJson[]][] = [];
  let left = limit === 0 ? 0 : maxTreeCheckpoints;
  for (const { id } of runs) {
    if (left <= 0) break;
    const { checkpoints } = await checkpointsOf(call, id, { limit: Math.min(limit, left), isOwn: true });
    left -= Math.max(checkpoints.length, 1);
    found.push([id, checkpoints]);
  }
  return Object.fromEntries(found);
}

/** The oldest base that the caller may see. */
async function rootOf({ scope }: Call, run: RunSummary): Promise<RunSummary> {
  const passed = new Set<string>();
  let root = run;
  while (root.forkedAt !== null && !passed.has(root.id)) {
    passed.add(root.id);
    const base = await scope.find(runOf(root.forkedAt));
    if (base === undefined) return root;
    root = base;
  }
  return root;
}

/** Lists of runs. */
export const runRoutes: readonly Route[] = [listRuns, countRoute, forkTree];
