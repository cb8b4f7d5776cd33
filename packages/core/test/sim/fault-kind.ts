/**
 * What can go wrong. `crash-before`, `crash-after`: a process dies before or after a commit that it asked for. `power-cut`: the power of
 * a machine with files fails in the middle of one. `pause`: it
 * stands still for longer than its lease and then goes on. `jump`: its clock is set. `lost-answer`: a commit is made and
 * the answer does not come. `lost-request`, `failed-request`: it is not made, and nobody knows, or the driver does.
 * `duplicate`: it arrives twice. `lost-claim`: a claim is made and the answer does not come. `failed-read`: a read fails.
 */
export const faultKinds = [
  'crash-before',
  'crash-after',
  'power-cut',
  'pause',
  'jump',
  'lost-answer',
  'lost-request',
  'failed-request',
  'duplicate',
  'lost-claim',
  'failed-read',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** How often each kind of fault took effect. */
export type FaultCounts = Record<FaultKind, number>;

export function noFaultsYet(): FaultCounts {
  return Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as FaultCounts;
}
