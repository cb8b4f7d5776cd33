import { setOwn } from '../value/codec/special.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import type { Delta, Deltas } from './delta.ts';
import { diffValues } from './diff-values.ts';
import { shareParts } from './share-parts.ts';

type Values = Readonly<Record<string, unknown>>;

/** What turns one state into another, and the other with the parts that it has in common with the first. */
export interface ChannelChange {
  readonly deltas: Deltas;
  readonly values: Values;
}

/** Compares two states by value, channel by channel. Both must be frozen copies. */
export function diffChannels(before: Values, after: Values): ChannelChange {
  const values = frozenCopy(shareParts(before, after)) as Values;
  const deltas: Record<string, Delta> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(values)])) {
    const delta = diffValues(own(before, name), own(values, name));
    if (delta !== undefined) setOwn(deltas, name, delta);
  }
  return { deltas, values };
}

function own(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
