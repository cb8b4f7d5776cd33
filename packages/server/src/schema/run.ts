import { z } from 'zod';
import { id, json, status, tags, text, time } from './common.ts';
import type {
  CheckpointJson,
  CheckpointsPageJson,
  ForkTreeJson,
  RunDetailsJson,
  RunJson,
  RunsPageJson,
  StateNode,
  WaitHeadJson,
  WaitJson,
} from './types.ts';

const waitKind: z.ZodType<WaitHeadJson['kind']> = z.enum(['ask', 'sleep', 'receive', 'pause', 'child', 'effect']);

const runFields = {
  id,
  kind: z.enum(['graph', 'journal']),
  graph: z.string(),
  version: z.int(),
  status,
  superstep: z.int(),
  head: z.int(),
  createdAt: time,
  updatedAt: time,
  tags,
  parentId: z.nullable(id),
  forkedAt: z.nullable(z.string()),
  waits: z.array(z.strictObject({ kind: waitKind, name: z.string() })),
  wakeAt: z.nullable(time),
  worker: z.nullable(z.string()),
  refusals: z.array(z.strictObject({ worker: z.string(), code: z.string(), message: z.string(), at: time })),
};

const waitSchema: z.ZodType<WaitJson> = z.strictObject({
  kind: waitKind,
  name: z.string(),
  id: z.string(),
  runId: id,
  node: z.string(),
  since: time,
  until: time.optional(),
  show: json.optional(),
  childId: z.string().optional(),
  key: z.string().optional(),
});

export const runSchema: z.ZodType<RunJson> = z.strictObject(runFields).meta({ id: 'Run' });

export const runsPageSchema: z.ZodType<RunsPageJson> = z.strictObject({
  runs: z.array(runSchema),
  next: z.nullable(id),
});

export const runDetailsSchema: z.ZodType<RunDetailsJson> = z
  .strictObject({
    ...runFields,
    lease: z.nullable(
      z.strictObject({ worker: z.string(), fence: z.int(), until: z.nullable(time), takeovers: z.int() }),
    ),
    next: z.array(z.string()),
    open: z.array(waitSchema),
    error: json.optional(),
    output: json.optional(),
    reason: text.optional(),
  })
  .meta({ id: 'RunDetails' });

export const checkpointSchema: z.ZodType<CheckpointJson> = z
  .strictObject({
    kind: z.nullable(z.string()),
    nodes: z.array(z.string()),
    changed: z.array(z.string()),
    bytes: z.int(),
    id: z.string(),
    runId: id,
    seq: z.int(),
    superstep: z.int(),
    turn: z.string().optional(),
    parentId: z.nullable(z.string()),
    label: z.string(),
    next: z.array(z.string()),
    status: z.string(),
    at: time,
  })
  .meta({ id: 'Checkpoint' });

export const checkpointsPageSchema: z.ZodType<CheckpointsPageJson> = z.strictObject({
  checkpoints: z.array(checkpointSchema),
  next: z.nullable(z.string()),
});

export const forkTreeSchema: z.ZodType<ForkTreeJson> = z.strictObject({
  root: id,
  runs: z.array(runSchema),
  checkpoints: z.record(z.string(), z.array(checkpointSchema)),
  isCut: z.boolean(),
});

export const stateNodeSchema: z.ZodType<StateNode> = z
  .strictObject({
    kind: z.enum([
      'null',
      'boolean',
      'number',
      'string',
      'bigint',
      'date',
      'bytes',
      'list',
      'map',
      'set',
      'object',
      'redacted',
    ]),
    value: json.optional(),
    size: z.int().optional(),
    from: z.int().optional(),
    get items() {
      return z.array(z.strictObject({ key: z.union([z.string(), z.int()]), node: stateNodeSchema })).optional();
    },
  })
  .meta({ id: 'StateNode' });
