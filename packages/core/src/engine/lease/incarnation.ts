import { checkRunId } from '../../value/id.ts';

/**
 * Names one opening of an engine: the worker's label and a random part. A worker that restarts with the same label
 * never renews the lease of the one that died, and never releases the runs of one that is alive.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function incarnationOf(label: string, random: () => number): string {
  return checkRunId(`${checkRunId(label)}:${Math.floor(random() * 2 ** 52).toString(36)}`);
}

/** The label of the worker, as its user chose it. */
export function workerLabel(incarnation: string): string {
  const end = incarnation.lastIndexOf(':');
  return end === -1 ? incarnation : incarnation.slice(0, end);
}
