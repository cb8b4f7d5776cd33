import { type FoldState, vectorOf } from '../../delta/cell.ts';
import type { Vector } from '../../delta/vector.ts';
import type { ChannelSet } from '../channel-set.ts';
import type { Write } from '../definition.ts';
import { invalidValue } from './channel-error.ts';
import type { PreparedUpdate } from './prepare-update.ts';

/** What to do instead of a spread of the state, in messages. */
export function appendRule(kind: 'list' | 'messages'): string {
  return `${kind}() appends, so return only the new items, or replace(…)`;
}

/**
 * Whether a write begins with all current items, at least two of them: a spread of the state, which would double the list.
 * 'objects' are the same ones, which is a mistake. 'values', such as strings, could be meant.
 */
export function repeatedItems(current: Vector, [how, items]: Write): 'objects' | 'values' | undefined {
  if (how === 'replace' || current.length < 2 || (items as unknown[]).length < current.length) return undefined;
  let what: 'objects' | 'values' = 'objects';
  for (let at = 0; at < current.length; at += 1) {
    const item = current.at(at);
    if (!Object.is(item, (items as unknown[])[at])) return undefined;
    if (typeof item !== 'object' || item === null) what = 'values';
  }
  return what;
}

/** The error for a list that is given all of its items again. */
export function spreadList(channel: string, kind: Parameters<typeof appendRule>[0]): Error {
  return invalidValue({ channel, keys: [] }, `was given all of its items again: ${appendRule(kind)}`);
}

/** The first list that an update gives all of its items again, if that is not refused. */
export function repeatedList(channels: ChannelSet, state: FoldState, update: PreparedUpdate): string | undefined {
  for (const name of Object.keys(update)) {
    if (channels.get(name)?.appends !== true) continue;
    const write = update[name] as Write;
    const items = write[1] as readonly unknown[];
    // Nearly every write is shorter than this.
    const current = items.length < 2 ? undefined : vectorOf(state.get(name));
    if (current !== undefined && repeatedItems(current, write) === 'values') return name;
  }
  return undefined;
}
