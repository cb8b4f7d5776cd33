import type { Env } from '../env.ts';
import type { Span } from './observer.ts';

/** Does some work in a span, if anybody wants spans. `failureOf` finds the failure in a result. */
export function inSpan<T>(
  { observe }: Pick<Env, 'observe'>,
  span: () => Span,
  work: () => Promise<T>,
  failureOf?: (result: T) => Error | undefined,
): Promise<T> {
  return observe?.span === undefined ? work() : observe.span(span(), work, failureOf);
}
