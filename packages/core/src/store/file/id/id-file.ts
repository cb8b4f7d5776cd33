import type { Files } from '../../../env/files.ts';
import { isCount, isText, isTime, listOf, objectOf } from '../../../value/data-shape.ts';
import { openOnlyLine, sealLine } from '../../../value/hash/sealed-line.ts';
import type { StoredId } from '../../contract/commit.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt, isMissing, notAsWritten } from '../errors.ts';
import type { FileRunState } from '../run/file-run-state.ts';
import { idsPath, type RunPlace, shownIds } from '../run/run-place.ts';

type Row = readonly [id: string, seq: number, at: number, crc: number, text: string];

/**
 * The bytes of the file with the ids of a run whose records it does not have: one line of JSON with a checksum, written
 * anew by each trim that changes it.
 */
export function encodeIds({ folder }: RunPlace, rev: number, ids: readonly StoredId[]): Buffer {
  const rows = ids.map(({ id, seq, at, crc, text }): Row => [id, seq, at, crc, text]);
  return Buffer.from(sealLine(placeOf(folder, rev), `{"ids":${JSON.stringify(rows)}`));
}

/** The ids of records that the run does not have. @throws HOLDFAST_CORRUPT */
export async function readKeptIds(files: Files, place: RunPlace, { tail }: FileRunState): Promise<readonly StoredId[]> {
  if (tail.ids === null) return [];
  const where = { file: shownIds(place, tail.ids), runId: tail.header.runId };
  let bytes: Uint8Array;
  try {
    bytes = await files.readAll(idsPath(place, tail.ids));
  } catch (error) {
    throw isMissing(error) ? corrupt('it is missing', where) : error;
  }
  const open = openOnlyLine(placeOf(place.folder, tail.ids), bytes);
  if (open === undefined) throw corrupt(notAsWritten, where);
  const found = storedJson(`${open}}`, isIds) as { readonly ids: readonly Row[] } | undefined;
  if (found === undefined) throw corrupt('it does not say what ids there are', where);
  return found.ids.map(([id, seq, at, crc, text]) => ({ id, seq, at, crc, text }));
}

const isIds = objectOf({ ids: listOf(isRow) });

function isRow(value: unknown): boolean {
  const [id, seq, at, crc, text] = Array.isArray(value) ? (value as unknown[]) : [];
  return isText(id) && isCount(seq) && isTime(at) && Number.isSafeInteger(crc) && isText(text);
}

function placeOf(folder: string, rev: number): string {
  return `${folder} ids ${rev} `;
}
