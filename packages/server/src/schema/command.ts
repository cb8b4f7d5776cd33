import type { EffectOutcome, PrunePolicy } from 'holdfast';
import { z } from 'zod';
import { duration, fields, given, id, json, status, tags, text } from './common.ts';
import { runSchema } from './run.ts';
import type { DoneJson, ErrorJson, PrunedJson, StartedJson } from './types.ts';

/** What starts a run. */
export interface StartBody {
  readonly graph: string;
  readonly input: unknown;
  readonly id?: string | undefined;
  readonly turn?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly maxSupersteps?: number | undefined;
  readonly timeout?: z.infer<typeof duration> | undefined;
}

export const startBody: z.ZodType<StartBody> = z.strictObject({
  graph: z.string().max(256),
  input: given,
  id: id.optional(),
  turn: z.string().min(1).max(256).optional(),
  tags: tags.optional(),
  maxSupersteps: z.int().min(1).optional(),
  timeout: duration.optional(),
});

/** An answer. `id` is the question's, if several with that name are open. */
export interface AnswerBody {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
}

export const answerBody: z.ZodType<AnswerBody> = z.strictObject({ name: text, value: given, id: id.optional() });

/** A message. A repeated `id` is the same message. */
export interface SendBody extends AnswerBody {}

export const sendBody: z.ZodType<SendBody> = z.strictObject({ name: text, value: given, id: id.optional() });

/** What happened to an effect. */
export interface SettleBody {
  readonly key: string;
  readonly outcome: EffectOutcome;
}

export const settleBody: z.ZodType<SettleBody> = z.strictObject({
  key: id,
  outcome: z.union([z.literal('retry'), z.strictObject({ error: text }), z.strictObject({ result: given })]),
});

/** How a fork differs from its base. */
export interface ForkBody {
  readonly at?: string | undefined;
  readonly before?: string | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly id?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly resume?: boolean | undefined;
}

export const forkBody: z.ZodType<ForkBody> = z.strictObject({
  at: id.optional(),
  before: z.string().min(1).max(256).optional(),
  set: fields(z.unknown()).optional(),
  next: z.array(z.string().max(256)).max(1_000).optional(),
  label: text.optional(),
  id: id.optional(),
  tags: tags.optional(),
  resume: z.boolean().optional(),
});

/** How a run is resumed. */
export interface ResumeBody {
  readonly maxSupersteps?: number | undefined;
  readonly accept?: 'diverged' | undefined;
}

export const resumeBody: z.ZodType<ResumeBody> = z.strictObject({
  maxSupersteps: z.int().min(1).optional(),
  accept: z.literal('diverged').optional(),
});

/** Why a run is cancelled. */
export interface CancelBody {
  readonly reason?: string | undefined;
}

export const cancelBody: z.ZodType<CancelBody> = z.strictObject({ reason: text.optional() });

/** What may be pruned. Nothing is, unless `apply` is true. */
export interface PruneBody
  extends Pick<PrunePolicy, 'runId' | 'before' | 'olderThan' | 'keep' | 'keepLatestTerminal' | 'records' | 'status'> {
  readonly apply?: boolean | undefined;
}

export const pruneBody: z.ZodType<PruneBody> = z.strictObject({
  runId: id.optional(),
  before: z.int().min(0).optional(),
  olderThan: duration.optional(),
  keep: z.int().min(0).optional(),
  keepLatestTerminal: z.boolean().optional(),
  records: z.boolean().optional(),
  status: z.array(status).min(1).optional(),
  apply: z.boolean().optional(),
});

export const startedSchema: z.ZodType<StartedJson> = z.strictObject({ run: runSchema, cursor: z.string() });

export const doneSchema: z.ZodType<DoneJson> = z.strictObject({ run: runSchema });

export const deletedSchema: z.ZodType<{ readonly deleted: boolean }> = z.strictObject({ deleted: z.boolean() });

export const prunedSchema: z.ZodType<PrunedJson> = z.strictObject({
  runs: z.int(),
  pruned: z.int(),
  retained: z.int(),
  bytes: z.int(),
  preservedTerminal: z.array(z.string()),
  protectedBy: z.array(z.strictObject({ checkpoint: z.string(), because: z.string() })),
  dryRun: z.boolean(),
}) as unknown as z.ZodType<PrunedJson>;

export const errorSchema: z.ZodType<{ readonly error: ErrorJson }> = z
  .strictObject({ error: z.strictObject({ code: z.string(), message: z.string(), details: json.optional() }) })
  .meta({ id: 'Error' });
