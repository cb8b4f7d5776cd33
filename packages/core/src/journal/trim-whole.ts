import { holdfastError } from '../errors/holdfast-error.ts';
import type { Trim } from '../store/check/check-request.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { TrimResult } from '../store/contract/retention.ts';

/** If so many attempts in a row were overtaken by other writers, something else is wrong. */
const maxTries = 100;

/** Carries a retention plan out to its end, piece by piece. */
export async function trimWhole(store: CheckedStore, trim: Trim): Promise<TrimResult> {
  let [records, snapshots, bytes] = [0, 0, 0];
  for (;;) {
    const piece = await store.trim(trim);
    // A run that is being removed may have gone with its last piece.
    if (!piece.ok) return records + snapshots > 0 ? { ok: true, records, snapshots, bytes, more: false } : piece;
    records += piece.records;
    snapshots += piece.snapshots;
    bytes += piece.bytes;
    if (!piece.more) return { ok: true, records, snapshots, bytes, more: false };
  }
}

/** Tries again while `attempt` gives nothing, because a fork came or went in between. @throws HOLDFAST_CONFLICT */
export async function retryOvertaken<T>(runId: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw holdfastError(
    'HOLDFAST_CONFLICT',
    `Run ${runId} is forked so often that ${maxTries} attempts were refused. Try again later.`,
    { details: { runId } },
  );
}
