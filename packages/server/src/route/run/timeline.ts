import type { JournalRecord } from 'holdfast';
import { z } from 'zod';
import { questionJson } from '../../json/question-json.ts';
import { timelineJson } from '../../json/timeline-json.ts';
import { count } from '../../schema/common.ts';
import { questionsSchema, timelineSchema } from '../../schema/timeline.ts';
import { foldQuestions } from '../../timeline/fold-questions.ts';
import { foldTimeline, type Standing } from '../../timeline/fold-timeline.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

const lastRecords: z.ZodType<{ readonly n: number }> = z.strictObject({ n: count(1, 10_000, 2_000) });

const getTimeline = route({
  id: 'getTimeline',
  method: 'get',
  path: '/runs/{runId}/timeline',
  summary:
    'The bars of a run: every try of a node, a step and a wait, with what a takeover made of it. From the last n records, also of the runs that it was forked from.',
  access: 'read',
  params: runParams,
  query: lastRecords,
  response: timelineSchema,
  async handle(call, { params: { runId }, query: { n } }) {
    const { superstep, worker } = await call.scope.run(runId);
    const { records, from, isCut } = await recordsOf(call, runId, n);
    const standing: Standing = { superstep, worker: worker === null ? 'none' : await workerOf(call, runId) };
    return { ...timelineJson(foldTimeline(records, standing), call.redactor), from, isCut };
  },
});

async function workerOf({ engine }: Call, runId: string): Promise<Standing['worker']> {
  const lease = await engine.get(runId).lease();
  if (lease === null) return 'none';
  return lease.until === undefined ? 'dead' : 'executing';
}

const listQuestions = route({
  id: 'listQuestions',
  method: 'get',
  path: '/runs/{runId}/questions',
  summary: 'The questions of a run, open and answered, with who answered. From its last n records.',
  access: 'read',
  params: runParams,
  query: lastRecords,
  response: questionsSchema,
  async handle(call, { params: { runId }, query: { n } }) {
    const { records, isCut } = await recordsOf(call, runId, n);
    return { questions: foldQuestions(records).map((question) => questionJson(question, call.redactor)), isCut };
  },
});

interface Read {
  readonly records: readonly JournalRecord[];
  readonly from: number;
  readonly isCut: boolean;
}

/** The last records of a graph run, as far as the caller may see the runs that they are from. */
async function recordsOf({ engine, scope }: Call, runId: string, n: number): Promise<Read> {
  const { kind } = await scope.run(runId);
  const found = kind === 'graph' ? await engine.journal.tail(runId, n) : [];
  const seen = await scope.seen(found.map((record) => record.runId));
  const records = found.filter((record) => seen.has(record.runId));
  const from = records[0]?.seq ?? 0;
  return { records, from, isCut: from > 1 };
}

/** What happened in a run, and when. */
export const timelineRoutes: readonly Route[] = [getTimeline, listQuestions];
