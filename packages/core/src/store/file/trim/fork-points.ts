import type { Files } from '../../../env/files.ts';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import type { RunHeader } from '../../contract/run.ts';
import { hasCode } from '../errors.ts';
import { readNames } from '../folder/names.ts';
import { checkFolderInside } from '../folder/store-directory.ts';
import { folderPath, type RunPlace } from '../run/run-place.ts';
import type { CorruptRun } from '../run/run-registry.ts';
import { readSegment, tailsOf } from '../segment/segment-file.ts';
import type { StoreParts } from '../store-parts.ts';

/** Where the forks of a run begin. */
export interface ForkPoints {
  readonly seqs: readonly number[];
  /** The error of a run that cannot be read and may be a fork of this one. It may begin anywhere. */
  readonly unknown: HoldfastError | undefined;
}

/** Finds the forks of a run. Of a corrupt run, any commit that can still be read says what it was forked from. */
export async function forkPointsOf({ env, table }: StoreParts, runId: string): Promise<ForkPoints> {
  const seqs: number[] = [];
  const add = ({ forkedAt }: Pick<RunHeader, 'forkedAt'>): void => {
    if (forkedAt?.runId === runId) seqs.push(forkedAt.seq);
  };
  let unknown: HoldfastError | undefined;
  table.headers().forEach(add);
  for (const run of table.corruptRuns()) {
    const header = await anyHeader(env.files, run);
    if (header === undefined) unknown ??= run.error;
    else add(header);
  }
  return { seqs, unknown };
}

async function anyHeader(files: Files, { place, header }: CorruptRun): Promise<RunHeader | undefined> {
  return header ?? headerIn(files, place).catch(ignoreUnreadable);
}

/** The header of the first commit that is as it was written. The fork point of a run never changes. */
async function headerIn(files: Files, place: RunPlace): Promise<RunHeader | undefined> {
  await checkFolderInside(files, folderPath(place));
  for (const first of readNames(await files.list(folderPath(place))).segments) {
    const bytes = await readSegment(files, { place, first }).catch(ignoreUnreadable);
    const [tail] = bytes === undefined ? [] : tailsOf({ folder: place.folder, first }, bytes);
    if (tail !== undefined) return tail.header;
  }
  return undefined;
}

/** A file may be gone, or be something else; an error of the disk is not taken for that. */
function ignoreUnreadable(error: unknown): undefined {
  if (HoldfastError.is(error) || hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
  throw error;
}
