import type { GraphStructure } from 'holdfast';
import { z } from 'zod';
import { id, json, tags, time } from './common.ts';
import { stateNodeSchema } from './run.ts';
import type {
  AskJson,
  AsksPageJson,
  CallerJson,
  ChangeJson,
  CountJson,
  DiffJson,
  GraphJson,
  HealthJson,
  JournalPageJson,
  OverviewJson,
  StateJson,
  StoreJson,
} from './types.ts';

export const stateSchema: z.ZodType<StateJson> = z.strictObject({
  checkpoint: z.string(),
  path: z.string(),
  node: stateNodeSchema.optional(),
  json: json.optional(),
});

export const changeSchema: z.ZodType<ChangeJson> = z
  .strictObject({
    op: z.enum(['add', 'remove', 'replace']),
    path: z.string(),
    before: json.optional(),
    after: json.optional(),
  })
  .meta({ id: 'Change' });

export const diffSchema: z.ZodType<DiffJson> = z.strictObject({
  changes: z.array(changeSchema),
  next: z.nullable(z.int()),
});

export const journalPageSchema: z.ZodType<JournalPageJson> = z.strictObject({
  records: z.array(
    z.strictObject({
      runId: id,
      seq: z.int(),
      id: z.string(),
      kind: z.string(),
      source: z.string(),
      at: time,
      labels: z.array(z.string()),
      meta: json,
      payload: json,
    }),
  ),
  next: z.nullable(z.int()),
});

const askSchema: z.ZodType<AskJson> = z
  .strictObject({
    id: z.string(),
    runId: id,
    graph: z.string(),
    node: z.string(),
    name: z.string(),
    show: json,
    answerSchema: json,
    since: time,
    until: time.optional(),
    tags,
  })
  .meta({ id: 'Ask' });

export const asksPageSchema: z.ZodType<AsksPageJson> = z.strictObject({
  asks: z.array(askSchema),
  next: z.nullable(z.string()),
});

const structureSchema: z.ZodType<GraphStructure> = z
  .strictObject({
    name: z.string(),
    version: z.int(),
    nodes: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(['node', 'each', 'graph', 'workflow']),
        get inner() {
          return structureSchema.optional();
        },
      }),
    ),
    edges: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        type: z.enum(['edge', 'route', 'goto', 'join']),
        join: z.string().optional(),
      }),
    ),
    asks: z.array(z.string()),
    receives: z.array(z.string()),
  })
  .meta({ id: 'GraphStructure' }) as z.ZodType<GraphStructure>;

export const graphSchema: z.ZodType<GraphJson> = z
  .strictObject({
    name: z.string(),
    version: z.int(),
    fingerprint: z.string(),
    structure: structureSchema,
    inputSchema: json,
    mermaid: z.string(),
  })
  .meta({ id: 'Graph' });

export const graphsSchema: z.ZodType<{ readonly graphs: readonly GraphJson[] }> = z.strictObject({
  graphs: z.array(graphSchema),
});

export const countSchema: z.ZodType<CountJson> = z
  .strictObject({ count: z.int(), isCut: z.boolean() })
  .meta({ id: 'Count' });

export const overviewSchema: z.ZodType<OverviewJson> = z.strictObject({
  runs: z.strictObject({
    pending: countSchema,
    running: countSchema,
    waiting: countSchema,
    suspended: countSchema,
    completed: countSchema,
    failed: countSchema,
    cancelled: countSchema,
  }),
  asks: countSchema,
});

export const storeSchema: z.ZodType<StoreJson> = z.strictObject({
  graphs: z.array(z.strictObject({ graph: z.string(), runs: z.int(), records: z.int(), bytes: z.int() })),
  isCut: z.boolean(),
});

export const healthSchema: z.ZodType<HealthJson> = z.strictObject({ status: z.enum(['ok', 'unavailable']) });

export const callerSchema: z.ZodType<CallerJson> = z.strictObject({
  by: z.string(),
  admin: z.boolean(),
  readOnly: z.boolean(),
});
