import { z } from 'zod';
import { id, json, text, time } from './common.ts';
import { changeSchema } from './look.ts';
import { checkpointSchema } from './run.ts';
import type { ForkPreviewJson, GraphCheckJson, QuestionsJson, TimelineJson } from './timeline-types.ts';

const partOfError = z.strictObject({ code: z.string().optional(), message: z.string().optional() });

const spanSchema = z
  .strictObject({
    runId: id,
    seq: z.nullable(z.int()),
    superstep: z.int(),
    node: z.string(),
    item: z.nullable(z.int()),
    kind: z.string(),
    name: z.nullable(z.string()),
    call: z.int(),
    attempt: z.int(),
    from: time,
    until: z.nullable(time),
    status: z.enum(['executed', 'failed', 'killed', 'executing', 'waiting', 'cancelled']),
    mark: z.nullable(z.enum(['kept', 'replayed'])),
    error: partOfError.optional(),
    wait: z.string().optional(),
    by: z.string().optional(),
    childId: z.string().optional(),
  })
  .meta({ id: 'Span' });

const takeoverSchema = z
  .strictObject({
    runId: id,
    seq: z.int(),
    at: time,
    lastAt: time,
    worker: z.string(),
    from: z.nullable(z.string()),
    noticed: z.nullable(z.enum(['lease', 'death'])),
    fence: z.int(),
    kept: z.int(),
    replayed: z.int(),
    killed: z.int(),
  })
  .meta({ id: 'Takeover' });

export const timelineSchema: z.ZodType<TimelineJson> = z.strictObject({
  spans: z.array(spanSchema),
  takeovers: z.array(takeoverSchema),
  from: z.int(),
  isCut: z.boolean(),
});

export const questionsSchema: z.ZodType<QuestionsJson> = z.strictObject({
  questions: z.array(
    z
      .strictObject({
        id: z.string(),
        runId: id,
        seq: z.int(),
        node: z.string(),
        name: z.string(),
        show: json,
        answerSchema: json,
        since: time,
        until: z.nullable(time),
        status: z.enum(['open', 'given', 'answered', 'timeout', 'withdrawn']),
        answer: json.optional(),
        by: text.optional(),
        at: time.optional(),
        refused: partOfError.optional(),
      })
      .meta({ id: 'Question' }),
  ),
  isCut: z.boolean(),
});

export const forkPreviewSchema: z.ZodType<ForkPreviewJson> = z.strictObject({
  at: checkpointSchema,
  next: z.array(z.string()),
  reused: z.array(checkpointSchema),
  runs: z.array(
    z.strictObject({
      node: z.string(),
      isNext: z.boolean(),
      steps: z.array(z.string()),
      hasEffect: z.boolean(),
    }),
  ),
  patch: z.array(changeSchema),
  unknown: z.array(z.string()),
});

export const graphCheckSchema: z.ZodType<GraphCheckJson> = z.strictObject({
  version: z.int(),
  versions: z.array(
    z.strictObject({ version: z.int(), unfinished: z.int(), stranded: z.int(), missing: z.array(z.string()) }),
  ),
  stranded: z.array(z.strictObject({ runId: id, version: z.int(), missing: z.array(z.string()) })),
  isCut: z.boolean(),
});
