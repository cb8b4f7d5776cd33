import { dateMs, dateSize } from '../codec/special.ts';
import type { PathKey, Walk } from '../codec/walk.ts';
import { markOwn } from './own.ts';
import { readOnlyDate } from './read-only.ts';

/** Copies the contents of a container while the walk is in it. May return the earlier copy instead, if that is equal. */
export interface Contents<C extends object> {
  readonly make: (walk: Walk, container: C, earlier: C | undefined) => object;
  readonly earlier?: C | undefined;
}

/** Freezes a copied container and marks it as ours, with the facts that the walk found. */
export function frozenContainer<C extends object>(
  walk: Walk,
  container: C,
  key: PathKey,
  { make, earlier }: Contents<C>,
): object {
  const { reach, size, special } = walk;
  walk.special = false;
  walk.enter(container, key);
  walk.reach = walk.depth;
  const made = make(walk, container, earlier);
  const height = walk.reach - walk.depth + 1;
  walk.leave();
  const isNew = made !== earlier;
  if (isNew) markOwn(made, { height, size: walk.size - size, special: walk.special });
  if (reach > walk.reach) walk.reach = reach;
  if (special) walk.special = true;
  return isNew ? Object.freeze(made) : made;
}

/** Freezes a copied Date and marks it as ours. */
export function frozenDate(walk: Walk, date: Date): object {
  const facts = { height: 0, size: dateSize(dateMs(date)), special: true };
  walk.pass(facts);
  markOwn(readOnlyDate(date), facts);
  return Object.freeze(date);
}
