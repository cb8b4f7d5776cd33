import { hashValue } from '../../../value/codec/canonical.ts';
import type { RunState } from '../run-state.ts';
import type { TypedCall } from './call-type.ts';

/**
 * The key of a call. Also the id of its question or child run, so it is a valid run id. A repeated call has the same key;
 * every other call, and every fork, has a different one.
 */
export function keyOfCall(runId: string, superstep: number, made: TypedCall): string {
  const { node, item, name, n = 0, type } = made;
  // Starts with a letter, because a record id must not be all digits.
  return `k${hashValue([runId, superstep, node, item ?? null, name, n, ...(type === 'step' ? [] : [type])]).slice(0, 31)}`;
}

/** The key of a call of the open super-step. A migration that renames its node does not change it: effects and children
 * that exist keep their keys. */
export function keyInRun({ runId, superstep, formerNodes }: RunState, made: TypedCall): string {
  const node = formerNodes.get(made.node);
  return keyOfCall(runId, superstep, node === undefined ? made : { ...made, node });
}
