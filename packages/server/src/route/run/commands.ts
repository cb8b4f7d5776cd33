import type { Run } from 'holdfast';
import type { z } from 'zod';
import { ApiError, noSuchCheckpoint } from '../../api-error.ts';
import { runOf } from '../../caller/scope.ts';
import { runJson } from '../../json/run-json.ts';
import {
  answerBody,
  cancelBody,
  deletedSchema,
  doneSchema,
  type ForkBody,
  forkBody,
  resumeBody,
  sendBody,
  settleBody,
  startedSchema,
} from '../../schema/command.ts';
import { nothing } from '../../schema/common.ts';
import type { DoneJson, StartedJson } from '../../schema/types.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

interface Verb<B> {
  readonly id: string;
  readonly verb: string;
  readonly summary: string;
  readonly body: z.ZodType<B>;
  readonly give: (run: Run, body: B, by: string) => Promise<unknown>;
}

/** A command to one run, on behalf of the caller. */
function command<B>({ id, verb, summary, body, give }: Verb<B>): Route {
  return route({
    id,
    method: 'post',
    path: `/runs/{runId}/${verb}`,
    summary,
    access: 'write',
    params: runParams,
    query: nothing,
    body,
    response: doneSchema,
    async handle(call, { params: { runId }, body: given }) {
      await give(await graphRun(call, runId), given, call.caller.by);
      return done(call, runId);
    },
  });
}

/** A run that the caller may write to. */
async function graphRun({ scope, engine }: Call, runId: string): Promise<Run> {
  const { kind } = await scope.run(runId);
  if (kind === 'journal')
    throw new ApiError(409, 'HTTP_INVALID_REQUEST', 'A journal run is written by its own loop alone.');
  return engine.get(runId);
}

async function done(call: Call, runId: string): Promise<DoneJson> {
  call.scope.forget(runId);
  return { run: await runJson(await call.scope.run(runId), call) };
}

const answer = command({
  id: 'answer',
  verb: 'answer',
  summary: 'Answers a question. A different second answer is refused, and the error says who was first.',
  body: answerBody,
  give: (run, { name, value, id }, by) => run.answer(name, value, { id, by }),
});

const send = command({
  id: 'send',
  verb: 'send',
  summary: 'Sends a message.',
  body: sendBody,
  give: (run, { name, value, id }, by) => run.send(name, value, { id, by }),
});

const settle = command({
  id: 'settle',
  verb: 'settle',
  summary: "Settles a 'once' effect whose outcome is unknown.",
  body: settleBody,
  give: (run, { key, outcome }, by) => run.settle(key, outcome, { by }),
});

const resume = command({
  id: 'resume',
  verb: 'resume',
  summary: 'Lets a worker continue a suspended, failed or paused run.',
  body: resumeBody,
  give: (run, body, by) => run.resume({ ...body, by }),
});

const cancel = command({
  id: 'cancel',
  verb: 'cancel',
  summary: 'Cancels a run and its child runs.',
  body: cancelBody,
  give: (run, { reason }, by) => run.cancel(reason, { by }),
});

const fork = route({
  id: 'fork',
  method: 'post',
  path: '/runs/{runId}/fork',
  summary: 'Creates a run that shares the history of this one up to a checkpoint. It has the tags of this one.',
  access: 'write',
  params: runParams,
  query: nothing,
  body: forkBody,
  response: startedSchema,
  status: 201,
  about: (_body, { run }) => ({ made: run.id }),
  handle: (call, { params: { runId }, body }) => makeFork(call, runId, body),
});

async function makeFork(call: Call, runId: string, { set, resume, ...rest }: ForkBody): Promise<StartedJson> {
  const { scope, caller } = call;
  const run = await graphRun(call, runId);
  const base = await scope.run(runId);
  if (rest.at !== undefined) await scope.place(rest.at);
  const tags = rest.tags === undefined ? base.tags : scope.tagsWith(rest.tags);
  if (tags === undefined) throw new ApiError(403, 'HTTP_FORBIDDEN', 'These tags are outside of your scope.');
  const isWhole = (await scope.floor(runId)) === 0;
  const options = { ...rest, ...(set !== undefined && { set }), tags, by: caller.by };
  const made = await run.fork({ ...options, ...(isWhole && { resume }) });
  if (!isWhole) {
    await keepWithin(call, made);
    if (resume === true) await made.resume({ by: caller.by });
  }
  return { ...(await done(call, made.id)), cursor: made.cursor };
}

/** `before` and edits lead to an earlier checkpoint, which may be one of a base that the caller may not see. */
async function keepWithin({ engine, scope, caller }: Call, made: Run): Promise<void> {
  const { forkedAt } = await scope.run(made.id);
  if (forkedAt !== null && (await scope.find(runOf(forkedAt))) !== undefined) return;
  await engine.delete(made.id, { by: caller.by });
  throw noSuchCheckpoint();
}

const deleteRun = route({
  id: 'deleteRun',
  method: 'delete',
  path: '/runs/{runId}',
  summary: 'Deletes a run and its child runs. What forks need of it is kept.',
  access: 'admin',
  params: runParams,
  query: nothing,
  response: deletedSchema,
  async handle({ engine, scope, caller }, { params: { runId } }) {
    await scope.run(runId);
    return { deleted: await engine.delete(runId, { by: caller.by }) };
  },
});

/** Commands to existing runs. */
export const commandRoutes: readonly Route[] = [answer, send, settle, resume, cancel, fork, deleteRun];
