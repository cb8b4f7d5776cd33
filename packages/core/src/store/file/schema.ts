import type { Files } from '../../env/files.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { openOnlyLine, sealLine } from '../../value/hash/sealed-line.ts';
import { corrupt, isMissing } from './errors.ts';
import { pathInside, unfinished } from './folder/names.ts';
import { writeAtomically } from './folder/write-atomically.ts';
import { isLockName } from './lock/store-lock.ts';
import { runsFolder } from './run/run-place.ts';

/** The file that says what the directory is. Its form and its checksum stay the same in all versions to come. */
const markerFile = 'holdfast.json';

const kind = 'holdfast file store';
const version = 1;
const markerPlace = 'format ';

/** Whether the directory is a store of a format that this code knows, or one that is still to be created. Changes nothing. */
export async function checkFormat(files: Files, root: string): Promise<'known' | 'new'> {
  let bytes: Uint8Array;
  try {
    bytes = await files.readAll(pathInside(root, markerFile));
  } catch (error) {
    if (!isMissing(error)) throw error;
    const stray = (await files.list(root)).find((name) => !isOurs(name));
    if (stray !== undefined) throw foreign(root, stray);
    return 'new';
  }
  checkMarker(root, bytes);
  return 'known';
}

/** Turns an empty directory into a store: the folder of the runs first, then the file that says so. */
export async function writeFormat(files: Files, root: string): Promise<void> {
  await files.makeDirectory(pathInside(root, runsFolder));
  await files.syncDirectory(root);
  const open = `{"format":${JSON.stringify(kind)},"version":${version}`;
  await writeAtomically(files, pathInside(root, markerFile), Buffer.from(sealLine(markerPlace, open)));
}

function checkMarker(root: string, bytes: Uint8Array): void {
  const open = openOnlyLine(markerPlace, bytes);
  if (open === undefined) throw corrupt('it does not say what the directory is', { file: markerFile });
  const found = JSON.parse(`${open}}`) as { readonly format?: unknown; readonly version?: unknown };
  if (found.format !== kind) throw otherKind(root, found.format);
  if (found.version === version) return;
  throw holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `The store ${root} has format ${String(found.version)}, of a newer version of Holdfast; nothing was written. Use that version or a newer one.`,
    { details: { dir: root, version: found.version } },
  );
}

/** What a process that died while it created the store may have left. */
function isOurs(name: string): boolean {
  return isLockName(name) || name === runsFolder || name === `${markerFile}${unfinished}`;
}

function otherKind(root: string, format: unknown): Error {
  const said = format === undefined ? 'does not say what kind of store it is' : `is for ${JSON.stringify(format)}`;
  return holdfastError(
    'HOLDFAST_STORE_FOREIGN',
    `${root} is not a file: store: its ${markerFile} ${said}. Use an empty or a new directory.`,
    { details: { dir: root, found: markerFile } },
  );
}

function foreign(root: string, stray: string): Error {
  return holdfastError(
    'HOLDFAST_STORE_FOREIGN',
    `${root} is not a file: store and is not empty (it contains ${JSON.stringify(stray)}). Use an empty or a new directory.`,
    { details: { dir: root, found: stray } },
  );
}
