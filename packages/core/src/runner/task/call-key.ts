import { hashValue } from '../../value/codec/canonical.ts';
import type { CallPlace } from '../fold/payload.ts';

/**
 * The key of a call, the id of the question it asks and of the child it starts: the same whenever and wherever the call
 * is made again, another in every other place and in every fork. A valid run id.
 */
export function keyOfCall(runId: string, superstep: number, { node, item, name, n = 0 }: CallPlace): string {
  // It begins with a letter, because a record's id may not be all digits.
  return `k${hashValue([runId, superstep, node, item ?? null, name, n]).slice(0, 31)}`;
}
