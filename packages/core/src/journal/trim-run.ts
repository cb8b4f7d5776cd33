import type { Env } from '../env/env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { Trim } from '../store/check/check-request.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { TrimResult } from '../store/contract/retention.ts';

/** What trimming needs. */
export interface TrimContext {
  readonly store: CheckedStore;
  readonly env: Pick<Env, 'nextTick'>;
}

/** Everything that a plan removed, over all its pieces; or why it was refused. */
export type Trimmed =
  | { readonly ok: true; readonly records: number; readonly snapshots: number; readonly bytes: number }
  | Extract<TrimResult, { readonly ok: false }>;

/**
 * Carries out a plan piece by piece until the driver is done with it. Other commits run between two pieces. An
 * interrupted plan is finished by carrying it out again.
 */
export async function trimRun({ store, env }: TrimContext, trim: Trim): Promise<Trimmed> {
  let records = 0;
  let snapshots = 0;
  let bytes = 0;
  for (let pieces = 1; ; pieces += 1) {
    // The first piece has made the whole plan visible: what is written from then on does not concern it.
    const piece = await store.trim(pieces === 1 ? trim : { ...trim, head: undefined });
    if (!piece.ok) {
      // Someone else removed the rest of the run.
      const isDone = piece.why === 'missing' && pieces > 1;
      return isDone ? { ok: true, records, snapshots, bytes } : piece;
    }
    records += piece.records;
    snapshots += piece.snapshots;
    bytes += piece.bytes;
    if (!piece.more || trim.dryRun === true) return { ok: true, records, snapshots, bytes };
    await nextTick(env);
  }
}

/** What to trim, decided on the run as it is now; or the answer, if there is nothing to trim. */
export type TrimDecision<T> =
  | { readonly done: T }
  | { readonly trim: Omit<Trim, 'runId'>; readonly answer: (bytes: number) => T };

/** How often a plan is made again because forks came or went, or someone else trimmed the run. */
const maxTries = 20;

/**
 * Decides, trims, and decides again when the plan is refused.
 *
 * @throws HOLDFAST_CONFLICT when every plan is refused
 */
export async function trimByDecision<T>(
  context: TrimContext,
  runId: string,
  decide: (tries: number) => Promise<TrimDecision<T>>,
): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const decision = await decide(tries);
    if ('done' in decision) return decision.done;
    const trimmed = await trimRun(context, { runId, ...decision.trim });
    if (trimmed.ok) return decision.answer(trimmed.bytes);
    await nextTick(context.env);
  }
  throw holdfastError(
    'HOLDFAST_CONFLICT',
    `Run "${runId}" could not be trimmed: its forks changed during each of ${maxTries} attempts. Try again later.`,
    { details: { runId } },
  );
}

/** Lets other commits go first: a fast store would otherwise keep the event loop to itself. */
export function nextTick(env: Pick<Env, 'nextTick'>): Promise<void> {
  return new Promise((resolve) => env.nextTick(resolve));
}
