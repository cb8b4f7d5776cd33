import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { channelCopy, inChannel, type Place } from './channel-error.ts';

/**
 * The frozen list of what is to be appended: of null nothing, of an array its items, of anything else that one.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE, with the channel and the path.
 */
export function copyItems(place: Place, value: unknown): readonly unknown[] {
  if (value === null) return frozenCopy([]);
  return Array.isArray(value) ? channelCopy<readonly unknown[]>(place, value) : copyOne(place, value);
}

/** In one walk; only an error has to know that the list around the item is ours. */
function copyOne(place: Place, item: unknown): readonly unknown[] {
  try {
    return frozenCopy([item]);
  } catch (error) {
    channelCopy(place, item);
    throw inChannel(place, error);
  }
}
