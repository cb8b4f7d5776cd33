import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type In, isSchema, type Out } from '../channel/standard-schema.ts';
import type { Frozen } from '../value/frozen/frozen.ts';
import { isOptions } from './draft/is-options.ts';

/**
 * A question to a person: the schema of what is shown, and of the answer.
 *
 * @example
 * ```ts
 * const approval = { show: z.object({ cents: z.number() }), answer: z.boolean() } satisfies Ask;
 * const purchase = workflow('purchase', { input: z.number(), asks: { approval } }, (cents, { ask }) => ask('approval', { cents }));
 * ```
 */
export interface Ask<
  Show extends StandardSchemaV1 = StandardSchemaV1,
  Answer extends StandardSchemaV1 = StandardSchemaV1,
> {
  readonly show: Show;
  readonly answer: Answer;
}

/**
 * The questions of a graph, by name. A schema alone is that of the answer: the question may then show anything.
 *
 * @example
 * ```ts
 * const asks = { size: z.enum(['S', 'L']), approval: { show: z.string(), answer: z.boolean() } } satisfies Asks;
 * ```
 */
export type Asks = Readonly<Record<string, Ask | StandardSchemaV1>>;
/**
 * The messages that a graph receives, by name.
 *
 * @example
 * ```ts
 * const receives = { paid: z.object({ reference: z.string() }), cancelled: z.string() } satisfies Receives;
 * ```
 */
export type Receives = Readonly<Record<string, StandardSchemaV1>>;

/** The type that a node passes to be shown. */
export type ShowIn<A> = A extends Ask<infer Q> ? In<Q> : unknown;
/** The same as an argument, which only a question with a schema for it needs. */
export type ShowArgument<A> = A extends Ask ? [show: ShowIn<A>] : [show?: unknown];
/** The type that is shown, which is read-only for those who read it. */
export type ShowOut<A> = A extends Ask<infer Q> ? Frozen<Out<Q>> : unknown;
/** The type that an answer is given as. */
export type AnswerIn<A> = A extends Ask<StandardSchemaV1, infer X> ? In<X> : In<A>;
/** The type of the answer that a node gets. */
export type AnswerOut<A> = A extends Ask<StandardSchemaV1, infer X> ? Out<X> : Out<A>;

/** What a question must be, for messages. */
export const askRule =
  'a question must be the schema of its answer, such as z.boolean(), or { show, answer }, both Standard Schemas';

/** Whatever can be stored may be shown. */
const showsAnything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'holdfast', validate: (value) => ({ value }) },
};

/** A declared question with both of its schemas. Undefined if it is invalid. */
export function readAsk(value: unknown): Ask | undefined {
  if (isSchema(value)) return { show: showsAnything, answer: value };
  return isAsk(value) ? { show: value.show, answer: value.answer } : undefined;
}

function isAsk(value: unknown): value is Ask {
  return isOptions(value) && isSchema(value['show']) && isSchema(value['answer']);
}
