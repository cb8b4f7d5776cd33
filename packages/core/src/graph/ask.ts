import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type In, isSchema, type Out } from '../channel/schema.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { isOptions } from './draft/is-options.ts';

/** A question to a person: what is shown, and what an answer has to be. */
export interface Ask<
  Show extends StandardSchemaV1 = StandardSchemaV1,
  Answer extends StandardSchemaV1 = StandardSchemaV1,
> {
  readonly show: Show;
  readonly answer: Answer;
}

/** The questions that a graph may ask, by name. */
export type Asks = Readonly<Record<string, Ask>>;
/** The messages that a graph may receive, by name. */
export type Receives = Readonly<Record<string, StandardSchemaV1>>;

/** What a node hands over to be shown. */
export type ShowIn<A> = A extends Ask<infer Q> ? In<Q> : never;
/** What is shown. */
export type ShowOut<A> = A extends Ask<infer Q> ? Out<Q> : never;
/** What an answer may be given as. */
export type AnswerIn<A> = A extends Ask<StandardSchemaV1, infer X> ? In<X> : never;
/** The answer that a node gets. */
export type AnswerOut<A> = A extends Ask<StandardSchemaV1, infer X> ? Out<X> : never;

/**
 * Declares a question by the schemas of what is shown and of its answer.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function ask<Q extends StandardSchemaV1, A extends StandardSchemaV1>(schemas: Ask<Q, A>): Ask<Q, A> {
  const given: unknown = schemas;
  if (!isAsk(given)) throw holdfastError('HOLDFAST_INVALID_OPTION', `ask(): ${askRule}.`);
  return Object.freeze({ show: schemas.show, answer: schemas.answer });
}

/** What a question is, as messages say it. */
export const askRule = 'a question is { show, answer }, each of them a Standard Schema such as z.object({ … })';

/** Whether this is a question; one written by hand is as good as one of `ask`. */
export function isAsk(value: unknown): value is Ask {
  return isOptions(value) && isSchema(value['show']) && isSchema(value['answer']);
}
