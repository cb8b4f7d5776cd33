import type { WaitHead } from '../contract/run.ts';

/** In the order of their bits, which never change. */
const kinds: readonly WaitHead['kind'][] = ['ask', 'sleep', 'receive', 'pause', 'child', 'effect'];

/** The kinds of the open waits as bits of one number; null where nothing waits. */
export function encodeKinds(waits: readonly WaitHead[]): number | null {
  let bits = 0;
  for (const { kind } of waits) bits |= kindBit(kind);
  return bits === 0 ? null : bits;
}

export function kindBit(kind: WaitHead['kind']): number {
  return 1 << kinds.indexOf(kind);
}
