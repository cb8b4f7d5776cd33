import type { AnyShape, Graph } from 'holdfast';
import { ApiError } from '../../api-error.ts';
import { runJson } from '../../json/run-json.ts';
import type { StartBody } from '../../schema/command.ts';
import { startBody, startedSchema } from '../../schema/command.ts';
import { nothing } from '../../schema/common.ts';
import type { StartedJson } from '../../schema/types.ts';
import { type Call, type Route, route } from '../route.ts';

const startRun = route({
  id: 'startRun',
  method: 'post',
  path: '/runs',
  summary:
    'Starts a run. The same id and input again is the same run. With turn, the input is the next turn of run id.',
  access: 'write',
  params: nothing,
  query: nothing,
  body: startBody,
  response: startedSchema,
  status: 201,
  about: ({ id }, { run }) => ({ runId: id, made: run.id }),
  handle: (call, { body }) => start(call, body),
});

async function start(call: Call, { graph: name, input, ...options }: StartBody): Promise<StartedJson> {
  const { engine, scope, server } = call;
  const graph = server.graphs.get(name);
  if (graph === undefined)
    throw new ApiError(404, 'HTTP_NOT_FOUND', `The server has no graph "${name}". GET /graphs lists those it has.`);
  await scope.allow('start', name);
  const tags = scope.tagsWith(options.tags);
  if (tags === undefined) throw new ApiError(403, 'HTTP_FORBIDDEN', 'These tags are outside your scope.');
  const { id } = options;
  if (id !== undefined) await refuseOthers(call, id);
  // What the graph takes is known to its schema alone, which checks it.
  const started = await engine.start(graph as Graph<AnyShape>, input, { ...options, tags });
  scope.forget(started.id);
  // Someone else may have taken the id in the meantime: their run is not shown.
  if ((await scope.find(started.id)) === undefined) throw taken(started.id);
  return { run: await runJson(await scope.run(started.id), call), cursor: started.cursor };
}

/** An id that someone else's run has cannot be used: not to see it, and not to give it a turn. */
async function refuseOthers({ engine, scope }: Call, id: string): Promise<void> {
  if (!scope.isBound || (await scope.find(id)) !== undefined) return;
  const [other] = await engine.runs({ ids: [id] }).toArray();
  if (other !== undefined) throw taken(id);
}

function taken(id: string): ApiError {
  return new ApiError(409, 'HTTP_INVALID_REQUEST', `The id "${id}" is taken. Use another one.`);
}

/** Starting runs. */
export const startRoutes: readonly Route[] = [startRun];
