import type { Files } from '../../../env/files.ts';
import type { StoredId } from '../../contract/commit.ts';
import type { FileRunState } from '../run/file-run-state.ts';
import type { RunPlace } from '../run/run-place.ts';
import { readRecordIds } from '../segment/record-range.ts';
import { firstSeq, lastSeq } from '../segment/tail.ts';
import { readKeptIds } from './id-file.ts';

/** Which of a run's ids are read. */
export interface IdRange {
  readonly state: FileRunState;
  readonly upTo?: number | undefined;
  /** Leaves out the ids of records that are not as they were written. */
  readonly skipsCorrupt?: boolean | undefined;
}

/** Every id of a run: of the records that it does not have any more, and of those up to a seq that it has. @throws HOLDFAST_CORRUPT */
export async function readIds(
  files: Files,
  place: RunPlace,
  { state, upTo = Number.POSITIVE_INFINITY, skipsCorrupt }: IdRange,
): Promise<Map<string, StoredId>> {
  const ids = new Map<string, StoredId>();
  for (const each of await readKeptIds(files, place, state)) ids.set(each.id, each);
  const range = { place, state, from: firstSeq(state.tail), to: Math.min(lastSeq(state.tail), upTo) };
  for (const each of await readRecordIds(files, range, { skipsCorrupt })) ids.set(each.id, each);
  return ids;
}
