import type { TakeoverMark } from '../../runner/takeover-mark.ts';
import type { ClaimedRun } from '../../store/checked-store.ts';
import { workerLabel } from './incarnation.ts';

/**
 * A run that a worker has taken over from one that died.
 *
 * @example
 * ```ts
 * engine.work({ onTakeover: ({ runId, workerId }: Takeover) => console.warn(`${workerId} died: ${runId} continues here`) });
 * ```
 */
export interface Takeover {
  readonly runId: string;
  /** The `workerId` of the worker that died. */
  readonly workerId: string;
  /** How its death was noticed. `death`: its process or connection is gone. `lease`: it let its lease end. */
  readonly noticed: 'lease' | 'death';
}

/** Those of the runs that were taken over, as far as the store tells. */
export function takeoversOf(claimed: readonly ClaimedRun[]): readonly Takeover[] {
  return claimed.flatMap(({ header: { runId }, takenFrom }) =>
    takenFrom === undefined ? [] : [{ runId, workerId: workerLabel(takenFrom.worker), noticed: takenFrom.noticed }],
  );
}

/** What the journal is to say about a takeover. Undefined if nobody died. */
export function takeoverMark(
  { header, takenFrom }: Pick<ClaimedRun, 'header' | 'takenFrom'>,
  { worker, at }: Pick<TakeoverMark, 'worker' | 'at'>,
): TakeoverMark | undefined {
  if (header.claims === 0) return undefined;
  const from = takenFrom === undefined ? null : workerLabel(takenFrom.worker);
  return { worker, from, noticed: takenFrom?.noticed ?? null, fence: header.fence, at };
}
