import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type In, isSchema, type Out } from '../channel/schema.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { isOptions } from './draft/is-options.ts';

/** A question to a person: the schema of what is shown, and of the answer. */
export interface Ask<
  Show extends StandardSchemaV1 = StandardSchemaV1,
  Answer extends StandardSchemaV1 = StandardSchemaV1,
> {
  readonly show: Show;
  readonly answer: Answer;
}

/** The questions of a graph, by name. */
export type Asks = Readonly<Record<string, Ask>>;
/** The messages that a graph receives, by name. */
export type Receives = Readonly<Record<string, StandardSchemaV1>>;

/** The type that a node passes to be shown. */
export type ShowIn<A> = A extends Ask<infer Q> ? In<Q> : never;
/** The type that is shown. */
export type ShowOut<A> = A extends Ask<infer Q> ? Out<Q> : never;
/** The type that an answer is given as. */
export type AnswerIn<A> = A extends Ask<StandardSchemaV1, infer X> ? In<X> : never;
/** The type of the answer that a node gets. */
export type AnswerOut<A> = A extends Ask<StandardSchemaV1, infer X> ? Out<X> : never;

/**
 * Declares a question with a schema for what is shown and one for the answer.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function ask<Q extends StandardSchemaV1, A extends StandardSchemaV1>(schemas: Ask<Q, A>): Ask<Q, A> {
  const given: unknown = schemas;
  if (!isAsk(given)) throw holdfastError('HOLDFAST_INVALID_OPTION', `ask(): ${askRule}.`);
  return Object.freeze({ show: schemas.show, answer: schemas.answer });
}

/** What a question must be, for messages. */
export const askRule = 'a question must be { show, answer }, both Standard Schemas such as z.object({ … })';

/** Whether this is a question. It need not come from `ask`. */
export function isAsk(value: unknown): value is Ask {
  return isOptions(value) && isSchema(value['show']) && isSchema(value['answer']);
}
