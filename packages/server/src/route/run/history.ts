import { z } from 'zod';
import { ApiError, noSuchCheckpoint } from '../../api-error.ts';
import { changeJson } from '../../json/change-json.ts';
import { fitting } from '../../json/page.ts';
import { sliceOf } from '../../json/slice.ts';
import { jsonText } from '../../json/text.ts';
import { count, id, nothing } from '../../schema/common.ts';
import { diffSchema, stateSchema } from '../../schema/look.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

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
    if (query.as === 'tree')
      return { checkpoint, path, node: sliceOf(state, query, call.redactor, call.server.limits.stateLength) };
    if (path !== '') throw new ApiError(400, 'HTTP_INVALID_REQUEST', 'query.path: as=json gives the whole state.');
    const json = call.redactor.value(['state'], state);
    if (jsonText(json).length > call.server.limits.stateLength)
      throw new ApiError(413, 'HTTP_BODY_TOO_LARGE', 'The state is too large to be sent whole. Ask for it by path.');
    return { checkpoint, path, json };
  },
});

/** A checkpoint of a run with its state. Default: the newest. @throws ApiError */
export async function checkpointOf(
  { engine, scope }: Call,
  runId: string,
  at: string | undefined,
): Promise<{ readonly id: string; readonly state: unknown }> {
  const { kind } = await scope.run(runId);
  if (kind === 'graph') return engine.get(runId).checkpoint(at);
  const found = at === undefined ? await engine.checkpoints.latest(runId) : await engine.checkpoints.load(at);
  // An id of another run would be found too.
  if (found === undefined || (await scope.find(found.runId)) === undefined) throw noSuchCheckpoint();
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
    const shown = fitting(
      changes.map((change) => changeJson(change, call.redactor)),
      call.server.limits.pageLength,
    );
    const isLast = changes.length < limit && shown.length === changes.length;
    return { changes: shown, next: isLast ? null : after + shown.length };
  },
});

/** Looking back. */
export const historyRoutes: readonly Route[] = [getState, getDiff];
