import type { RecordJson } from '@holdfast/server/client';
import { isFields } from './payload.ts';
import type { TakenOver } from './story.ts';

/** What the first record of a worker says about the one that it took the run over from. `lastAt`: of the record before. */
export function takeoverOf({ seq, meta, at }: RecordJson, lastAt: number): Omit<TakenOver, 'superstep'> | undefined {
  const mark = isFields(meta) ? meta['takeover'] : undefined;
  if (!isFields(mark)) return undefined;
  const { worker, from, noticed, fence } = mark;
  const claimedAt = timeOf(mark['at']) ?? Date.parse(at);
  const how = noticed === 'lease' || noticed === 'death' ? noticed : undefined;
  return {
    seq,
    // A death is noticed at once; a lease that ended says only that the worker had lived before.
    diedAt: how === 'death' ? claimedAt : Math.min(lastAt, claimedAt),
    at: claimedAt,
    from: typeof from === 'string' ? from : undefined,
    by: typeof worker === 'string' ? worker : 'another worker',
    noticed: how,
    fence: typeof fence === 'number' ? fence : 0,
  };
}

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Date.parse(value) : undefined;
}
