import { invalidOption } from '../../value/check/check-options.ts';
import { isRunId } from '../../value/id.ts';
import { printable } from '../../value/printable.ts';

/** Leaves room for the random part in an id of 128 characters. */
const longestLabel = 112;

/**
 * Names one opening of an engine: the worker's label and a random part. A worker that restarts with the same label
 * never renews the lease of the one that died, and never releases the runs of one that is alive.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function incarnationOf(label: string, random: () => number): string {
  if (!isRunId(label) || label.length > longestLabel) {
    const rule = `Use 1 to ${longestLabel} letters, digits, dots, underscores, colons and hyphens, starting with a letter or a digit`;
    throw invalidOption('workerId', `workerId "${printable(String(label))}" is not valid. ${rule}.`);
  }
  return `${label}:${Math.floor(random() * 2 ** 52).toString(36)}`;
}

/** The label of the worker, as its user chose it. */
export function workerLabel(incarnation: string): string {
  const end = incarnation.lastIndexOf(':');
  return end === -1 ? incarnation : incarnation.slice(0, end);
}
