/** The cost of a super-step besides its delta, in bytes. */
const stepOverhead = 256;
/** No snapshot is written for fewer bytes of changes than this. */
const smallest = 16_384;
/** By what factor the changes have to grow before a state that was too large is encoded again. */
const patience = 1.5;

/**
 * How much was written since the last snapshot, and when to measure the next one.
 *
 * A snapshot is due when the changes since the last one are as large as the new snapshot would be. All snapshots together
 * are then no larger than all changes, and reading any state costs at most about twice its snapshot. The size of a
 * snapshot is only known after encoding the state, so the state is not encoded after every change.
 */
export interface SnapshotMeter {
  /** Bytes of deltas since the last snapshot, with the overhead of each super-step. */
  readonly since: number;
  /** The state is not encoded before `since` reaches this. */
  readonly mark: number;
}

/** The meter of a run that has no snapshot yet. */
export const newMeter: SnapshotMeter = { since: 0, mark: 0 };

/** The meter after one more super-step. */
export function addStep(meter: SnapshotMeter, deltaBytes: number): SnapshotMeter {
  return addSteps(meter, { count: 1, bytes: deltaBytes });
}

/** The meter after several more super-steps. */
export function addSteps(
  { since, mark }: SnapshotMeter,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): SnapshotMeter {
  return { since: since + bytes + count * stepOverhead, mark };
}

/** Whether to encode the state, to see how large a snapshot would be. */
export function mayBeDue(meter: SnapshotMeter): boolean {
  return meter.since >= Math.max(smallest, meter.mark);
}

/**
 * Whether to write a snapshot of this size now, and the meter afterwards.
 *
 * The size becomes the mark, so a state of constant size is encoded once per snapshot. A state that grows with every
 * change is too large again and again. The mark then grows by half each time: encoding stays a constant share of the
 * writing, and a snapshot is late by at most that half.
 */
export function measured(meter: SnapshotMeter, size: number): { readonly due: boolean; readonly meter: SnapshotMeter } {
  if (meter.since >= Math.max(smallest, size)) return { due: true, meter: { since: 0, mark: size } };
  return { due: false, meter: { since: meter.since, mark: Math.max(size, meter.since * patience) } };
}
