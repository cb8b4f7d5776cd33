import { holdfastError } from '../errors/holdfast-error.ts';
import { type Segment, segmentsOf } from '../history/lineage.ts';
import type { KnownId } from '../store/check/known-id.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Located } from '../store/contract/read.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { formatCursor } from '../value/cursor.ts';

/** A run's header, and where its journal lies. */
export interface RunJournal {
  readonly header: RunHeader;
  /** The run's own segment first, then those of the runs it was forked from. */
  readonly segments: readonly Segment[];
  /** The id that was asked for, if the run or one that it was forked from has it. */
  readonly known: Located<KnownId> | undefined;
}

/** Reads the header and the lineage in one call; undefined when the run does not exist or was deleted. @throws HOLDFAST_CORRUPT */
export async function loadJournal(
  store: CheckedStore,
  runId: string,
  { id }: { readonly id?: string | undefined } = {},
): Promise<RunJournal | undefined> {
  const loaded = await store.load({ runId, limit: 0, id });
  if (loaded === undefined || loaded.header.hidden) return undefined;
  const { header, lineage } = loaded;
  return { header, segments: lineageSegments([header, ...lineage]), known: loaded.id };
}

/** The same for a run whose header is known: at most one call, and none for a run that is no fork. @throws HOLDFAST_CORRUPT */
export async function loadSegments(store: CheckedStore, header: RunHeader): Promise<readonly Segment[]> {
  if (baseOf(header) === null) return segmentsOf([header]);
  const loaded = await store.load({ runId: header.runId, limit: 0 });
  return lineageSegments([header, ...(loaded?.lineage ?? [])]);
}

/** Where a run's journal continues below its own records; null where it ends: a trimmed run needs nothing of its base. */
function baseOf({ forkedAt, floor }: RunHeader): RunHeader['forkedAt'] {
  return floor > 0 ? null : forkedAt;
}

/** The segments of a run and of the runs it was forked from, nearest first; deleted runs count. @throws HOLDFAST_CORRUPT when one is missing */
export function lineageSegments(lineage: readonly [RunHeader, ...RunHeader[]]): readonly Segment[] {
  const last = lineage.at(-1) as RunHeader;
  const missing = baseOf(last);
  if (missing === null) return segmentsOf(lineage);
  const { runId } = last;
  const place = formatCursor(missing.runId, missing.seq);
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `Run "${runId}" was forked from ${place}, but run "${missing.runId}" is missing from the store. Run verify.`,
    { details: { where: missing.runId, runId } },
  );
}
