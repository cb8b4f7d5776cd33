/**
 * What can go wrong. `crash-before`, `crash-after`: a process dies before or after a commit that it asked for.
 * `power-cut`: the power of a machine with files fails in the middle of one. `pause`: a process stands still for longer
 * than its lease and then continues. `jump`: its clock is set. `lost-answer`: a commit is made and the answer does not come.
 * `lost-request`, `failed-request`: it is not made, and nobody knows, or the driver does. `late-commit`: it fails, and
 * arrives later. `duplicate`: it arrives twice. `failed-doubt`: asking what became of it fails, before or after the store
 * has answered. `lost-claim`, `failed-claim`: a claim is made and the answer does not come, or it is not made.
 * `failed-read`: a read fails. `transient`: whatever fails says that it may succeed if it is tried again. `outage`: nobody
 * reaches the store, for longer than a lease.
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
  'late-commit',
  'duplicate',
  'failed-doubt',
  'lost-claim',
  'failed-claim',
  'failed-read',
  'transient',
  'outage',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** How often each kind of fault took effect. */
export type FaultCounts = Record<FaultKind, number>;

export function noFaultsYet(): FaultCounts {
  return Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as FaultCounts;
}
