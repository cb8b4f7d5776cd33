import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { channelCopy, inChannel, type Place } from './channel-error.ts';

/**
 * The frozen list of items to append: none for null, the items of an array, or the value itself.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE, with the channel and the path.
 */
export function copyItems(place: Place, value: unknown): readonly unknown[] {
  if (value === null) return frozenCopy([]);
  return Array.isArray(value) ? channelCopy<readonly unknown[]>(place, value) : copyOne(place, value);
}

/** Copies in one walk. Only an error needs to know that we added the list around the item. */
function copyOne(place: Place, item: unknown): readonly unknown[] {
  try {
    return frozenCopy([item]);
  } catch (error) {
    channelCopy(place, item);
    throw inChannel(place, error);
  }
}
