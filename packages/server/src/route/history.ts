import type { CheckpointHead } from 'holdfast';
import { z } from 'zod';
import { ApiError } from '../api-error.ts';
import { runOf } from '../caller/scope.ts';
import { plain } from '../json/plain.ts';
import { type Place, pointerKeys, redacted } from '../json/redact.ts';
import { sliceOf } from '../json/slice.ts';
import { jsonText } from '../json/text.ts';
import { count, id, nothing } from '../schema/common.ts';
import { diffSchema, stateSchema } from '../schema/look.ts';
import { checkpointsPageSchema } from '../schema/run.ts';
import type { ChangeJson, CheckpointJson } from '../schema/types.ts';
import { type Call, type Route, route, runParams } from './route.ts';

const listCheckpoints = route({
  id: 'listCheckpoints',
  method: 'get',
  path: '/runs/{runId}/checkpoints',
  summary: 'Lists the checkpoints of a run and of the runs that it was forked from, newest first.',
  access: 'read',
  params: runParams,
  query: z.strictObject({ before: id.optional(), limit: count(1, 500, 50) }),
  response: checkpointsPageSchema,
  async handle(call, { params, query: { before, limit } }) {
    if (before !== undefined) await call.scope.place(before);
    const found = await headsOf(call, params.runId, { before, limit });
    const seen = await call.scope.seen(found.flatMap(({ runId, parentId }) => [runId, ...others(parentId)]));
    const own = found.filter(({ runId }) => seen.has(runId));
    const next = found.length === limit && own.length > 0 ? (own.at(-1)?.id ?? null) : null;
    return { checkpoints: own.map((head) => checkpointJson(call, head, seen)), next };
  },
});

function others(parentId: string | null): readonly string[] {
  return parentId === null ? [] : [runOf(parentId)];
}

async function headsOf(
  { engine, scope }: Call,
  runId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly CheckpointHead[]> {
  const { kind } = await scope.run(runId);
  if (kind === 'graph') return engine.get(runId).history({ limit, before }).toArray();
  const all = await engine.checkpoints.list(runId).toArray();
  const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
  return all.slice(from, from + limit);
}

function checkpointJson({ redactor }: Call, head: CheckpointHead, seen: ReadonlySet<string>): CheckpointJson {
  const { parentId, turn } = head;
  const isSeen = parentId !== null && seen.has(runOf(parentId));
  // The label that a fork has by itself names the run that it was forked from.
  const label = isSeen || !head.label.startsWith('fork-of:') ? head.label : '';
  return {
    id: head.id,
    runId: head.runId,
    seq: head.seq,
    superstep: head.superstep,
    ...(turn !== undefined && { turn }),
    parentId: isSeen ? parentId : null,
    label: redactor.text(['label'], label),
    next: head.next,
    status: head.status,
    at: head.at.toISOString(),
  };
}

const getState = route({
  id: 'getState',
  method: 'get',
  path: '/runs/{runId}/state',
  summary: 'The state of a run, now or at a checkpoint: a part of it by path and slice, or with as=json all of it.',
  access: 'read',
  params: runParams,
  query: z.strictObject({
    at: id.optional(),
    path: z.string().max(4_096).default(''),
    from: count(0, 1_000_000_000, 0),
    n: count(1, 1_000, 200),
    depth: count(0, 16, 2),
    as: z.enum(['tree', 'json']).default('tree'),
  }),
  response: stateSchema,
  async handle(call, { params, query }) {
    if (query.at !== undefined) await call.scope.place(query.at);
    const { id: checkpoint, state } = await checkpointOf(call, params.runId, query.at);
    const { path } = query;
    if (query.as === 'tree') return { checkpoint, path, node: sliceOf(state, query, call.redactor) };
    if (path !== '') throw new ApiError(400, 'HTTP_INVALID_REQUEST', 'query.path: as=json gives the whole state.');
    const json = call.redactor.value(['state'], plain(state));
    if (jsonText(json).length > call.server.limits.stateLength)
      throw new ApiError(413, 'HTTP_BODY_TOO_LARGE', 'The state is too large to be sent whole. Ask for it by path.');
    return { checkpoint, path, json };
  },
});

async function checkpointOf(
  { engine, scope }: Call,
  runId: string,
  at: string | undefined,
): Promise<{ readonly id: string; readonly state: unknown }> {
  const { kind } = await scope.run(runId);
  if (kind === 'graph') return engine.get(runId).checkpoint(at);
  const found = at === undefined ? await engine.checkpoints.latest(runId) : await engine.checkpoints.load(at);
  // An id of another run would be found too.
  if (found === undefined || (await scope.find(found.runId)) === undefined)
    throw new ApiError(404, 'HTTP_NOT_FOUND', 'The run has no such checkpoint.');
  return found;
}

const getDiff = route({
  id: 'getDiff',
  method: 'get',
  path: '/diff',
  summary: 'The changes from one state to another, of any two runs. Each is a run, or a checkpoint: run@seq.',
  access: 'read',
  params: nothing,
  query: z.strictObject({ from: id, to: id, after: count(0, 1_000_000_000, 0), limit: count(1, 1_000, 200) }),
  response: diffSchema,
  async handle(call, { query: { from, to, after, limit } }) {
    await call.scope.place(from);
    await call.scope.place(to);
    const changes = await call.engine.diff(from, to, { after, limit });
    const shown = changes.map(({ op, path, before, after: later }): ChangeJson => {
      const place = ['state', ...(pointerKeys(path) ?? [])] as unknown as Place;
      const show = (value: unknown) =>
        call.redactor.hides(place) ? redacted : call.redactor.value(place, plain(value));
      return {
        op,
        path,
        ...(before !== undefined && { before: show(before) }),
        ...(later !== undefined && { after: show(later) }),
      };
    });
    return { changes: shown, next: changes.length === limit ? after + limit : null };
  },
});

/** Looking back. */
export const historyRoutes: readonly Route[] = [listCheckpoints, getState, getDiff];
