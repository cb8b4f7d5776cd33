import type { StoredId } from '../../contract/commit.ts';
import { readKeptIds } from '../id/id-file.ts';
import { readIds } from '../id/read-ids.ts';
import type { TrimJob } from './trim-job.ts';

/** The ids that a run keeps without their records after a trim. Undefined if those are the ones that it has kept so far. */
export async function idsAfter({
  parts,
  plan,
  state,
  planned,
  place,
}: TrimJob): Promise<readonly StoredId[] | undefined> {
  const { files } = parts.env;
  const { header, keepTo } = planned.tail;
  const before = await readKeptIds(files, place, state);
  const goes = ({ seq, at }: StoredId): boolean =>
    (seq <= header.floor && at < (plan.forgetIds ?? Number.NEGATIVE_INFINITY)) || (keepTo !== null && seq > keepTo);
  const isRaised = header.floor > state.tail.header.floor;
  const known = isRaised
    ? // What is dropped may be corrupt: the ids of those records are lost already.
      await readIds(files, place, { state, upTo: header.floor, skipsCorrupt: true })
    : new Map(before.map((each) => [each.id, each]));
  for (const each of plan.ids ?? []) known.set(each.id, each);
  const after = [...known.values()].filter((each) => !goes(each));
  const isSame = after.length === before.length && after.every((each, at) => each.crc === before[at]?.crc);
  return isSame ? undefined : after;
}
