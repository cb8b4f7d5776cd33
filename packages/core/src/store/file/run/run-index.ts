import type { Env } from '../../../env/env.ts';
import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { newline, openLine, sealLine } from '../../../value/hash/sealed-line.ts';
import { storedJson } from '../../stored-json.ts';
import { isMissing } from '../errors.ts';
import { pathInside } from '../folder/names.ts';
import { writeAtomically } from '../folder/write-atomically.ts';
import { decodeTail, encodeTail, type Tail } from '../segment/tail.ts';

/** The file with the tails of all runs. It is there only while nobody writes to the store. */
const indexFile = 'index.jsonl';

/** Writes the tails of all runs, for the next process to open the store. */
export async function writeIndex({ files }: Env, root: string, tails: readonly Tail[]): Promise<void> {
  const lines = [sealLine(placeOf(0), `{"runs":${tails.length}`)];
  for (const tail of tails) lines.push(sealLine(placeOf(lines.length), encodeTail(tail)));
  await writeAtomically(files, pathInside(root, indexFile), Buffer.from(lines.join('')));
}

/**
 * Removes the index, durably, before anything is written to the store, and returns its content. Undefined when there is
 * none: the store was not closed, and the runs are read one by one. It is only a copy, so a corrupt one is as good as none.
 */
export async function readAndRemoveIndex({ files, warn }: Env, root: string): Promise<readonly Tail[] | undefined> {
  const path = pathInside(root, indexFile);
  let bytes: Uint8Array;
  try {
    bytes = await files.readAll(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  await files.remove(path);
  await files.syncDirectory(root);
  const tails = decodeIndex(bytes);
  if (tails === undefined) warn(`${indexFile} of the store ${root} is corrupt. Every run was read instead.`);
  return tails;
}

function decodeIndex(bytes: Uint8Array): readonly Tail[] | undefined {
  const tails: Tail[] = [];
  let runs: number | undefined;
  for (let at = 0, line = 0; at < bytes.length; line += 1) {
    const stop = bytes.indexOf(newline, at);
    const open = stop === -1 ? undefined : openLine(placeOf(line), bytes.subarray(at, stop));
    if (open === undefined) return undefined;
    if (line === 0) runs = (storedJson(`${open}}`, isPlainObject) as { readonly runs: number } | undefined)?.runs;
    else {
      const tail = decodeTail(`${open}}`);
      if (tail === undefined) return undefined;
      tails.push(tail);
    }
    at = stop + 1;
  }
  return runs === tails.length ? tails : undefined;
}

function placeOf(line: number): string {
  return `index ${line} `;
}
