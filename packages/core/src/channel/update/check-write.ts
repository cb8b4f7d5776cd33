import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../../async/awaitable.ts';
import { checkBySchema, type SchemaRefusal } from '../standard-schema.ts';
import { inChannel, type Place, refusedBySchema } from './channel-error.ts';

/**
 * Validates a write to a channel and returns the frozen copy to keep, synchronously if the schema is synchronous.
 *
 * @throws HOLDFAST_INVALID_VALUE, HOLDFAST_UNSERIALIZABLE, with the channel and the path.
 */
export function checkWrite(schema: StandardSchemaV1, place: Place, value: unknown): Awaitable<unknown> {
  const refuse = (refusal: SchemaRefusal): Error => refusedBySchema(place, refusal);
  try {
    const result = checkBySchema(schema, value, refuse);
    return result instanceof Promise ? result.catch((error: unknown) => rethrow(place, error)) : result;
  } catch (error) {
    return rethrow(place, error);
  }
}

function rethrow(place: Place, error: unknown): never {
  throw inChannel(place, error);
}
