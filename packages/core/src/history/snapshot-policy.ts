/** What a step costs besides its delta. */
const stepOverhead = 256;
/** A snapshot of less than this is not worth writing. */
const smallest = 16_384;
/** How much more has to be written before a state that was found too large is encoded again. */
const patience = 1.5;

/**
 * How much has been written since the last snapshot, and at how much it is worth measuring a new one.
 *
 * A snapshot is due when the changes since the last one weigh as much as it would itself. Then all snapshots together
 * weigh no more than all changes, and reading any state costs its snapshot and not much more than that again. But how
 * large it would be is only known by encoding it, which costs as much as the state is large.
 */
export interface SnapshotMeter {
  /** Bytes of deltas, and the overhead of their steps, since the last snapshot. */
  readonly since: number;
  /** Nothing is measured before `since` has come up to this. */
  readonly mark: number;
}

/** The meter of a run that has no snapshot yet. */
export const newMeter: SnapshotMeter = { since: 0, mark: 0 };

/** The meter after one more step. */
export function addStep(meter: SnapshotMeter, deltaBytes: number): SnapshotMeter {
  return addSteps(meter, { count: 1, bytes: deltaBytes });
}

/** The meter after several more. */
export function addSteps(
  { since, mark }: SnapshotMeter,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): SnapshotMeter {
  return { since: since + bytes + count * stepOverhead, mark };
}

/** Whether it is worth encoding the state to see how large a snapshot is. */
export function mayBeDue(meter: SnapshotMeter): boolean {
  return meter.since >= Math.max(smallest, meter.mark);
}

/**
 * Whether a snapshot of this size is to be written now, and the meter afterwards.
 *
 * The size is kept as the mark: a state that stays as large is encoded once a snapshot. One that grows with every
 * change is found too large again and again; as the mark then grows by half each time, encoding stays a constant
 * share of the writing, and a snapshot comes at most by that half too late.
 */
export function measured(meter: SnapshotMeter, size: number): { readonly due: boolean; readonly meter: SnapshotMeter } {
  if (meter.since >= Math.max(smallest, size)) return { due: true, meter: { since: 0, mark: size } };
  return { due: false, meter: { since: meter.since, mark: Math.max(size, meter.since * patience) } };
}
