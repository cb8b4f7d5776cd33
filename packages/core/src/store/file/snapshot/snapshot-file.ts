import type { Files } from '../../../env/files.ts';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { isText as isAnyText } from '../../../value/data-shape.ts';
import { newline, seal, unseal } from '../../../value/hash/sealed-line.ts';
import type { Sealed, SnapshotKey, StoredSnapshot } from '../../contract/commit.ts';
import { storedJson } from '../../stored-json.ts';
import { isMissing } from '../errors.ts';
import { isOneLine } from '../segment/one-line.ts';

/** The format character of texts that are JSON. */
const jsonFormat = 'j';

/** Most heads are much shorter; a longer one costs a second read. */
const headBytes = 4_096;

/** What is given for a part that is not what was written: no text has this checksum, so that it counts as corrupt. */
export const corruptPart: Sealed = { text: '', crc: -1 };

/** Which snapshot, of which run, and whether with its body. */
export interface SnapshotWish {
  readonly runId: string;
  readonly key: SnapshotKey;
  readonly body: boolean;
}

type Part = 'head' | 'body';

/**
 * The bytes of a snapshot's file: one JSON object in two lines, each with a checksum of its own, so that the head can be
 * read without the body.
 */
export function encodeSnapshot(runId: string, { covers, seq, head, body = corruptPart }: StoredSnapshot): Buffer {
  const key = { covers, seq };
  const first = seal(placeOf(runId, key, 'head'), `${startOf(runId, key)}${encodePart('head', head)}`, 'headSum');
  const second = seal(placeOf(runId, key, 'body'), encodePart('body', body), 'bodySum');
  return Buffer.from(`${first},\n${second}}\n`);
}

/** A snapshot's head, and its body where that is asked for; what is corrupt or gone is given as such. */
export async function readSnapshot(
  files: Files,
  path: string,
  { runId, key, body }: SnapshotWish,
): Promise<StoredSnapshot> {
  const bytes = await readLines(files, path, body);
  if (HoldfastError.is(bytes)) return { ...key, head: corruptPart, body: corruptPart, unreadable: bytes };
  const stop = Math.max(1, bytes.indexOf(newline));
  const start = startOf(runId, key);
  const isComma = bytes[stop - 1] === 0x2c;
  const head = isComma ? unseal(placeOf(runId, key, 'head'), bytes.subarray(0, stop - 1), 'headSum') : undefined;
  return {
    covers: key.covers,
    seq: key.seq,
    head: head?.startsWith(start) ? decodePart('head', head.slice(start.length)) : corruptPart,
    body: body ? openBody(placeOf(runId, key, 'body'), bytes.subarray(stop + 1)) : undefined,
  };
}

function openBody(place: string, bytes: Buffer): Sealed {
  if (bytes.toString('latin1', bytes.length - 2) !== '}\n') return corruptPart;
  const body = unseal(place, bytes.subarray(0, -2), 'bodySum');
  return body === undefined ? corruptPart : decodePart('body', body);
}

/**
 * Nothing, where there is nothing, and the reason where it must not be read: such a snapshot is a corrupt one, and never
 * hides the others.
 */
async function readLines(files: Files, path: string, whole: boolean): Promise<Buffer | HoldfastError> {
  try {
    if (whole) return toBuffer(await files.readAll(path));
    const handle = await files.open(path, 'read');
    try {
      const bytes = toBuffer(await handle.read(0, headBytes));
      return bytes.includes(newline) ? bytes : toBuffer(await handle.read(0, await handle.size()));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE')) return error;
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function encodePart(name: Part, { text, crc }: Sealed): string {
  const isInline = text.startsWith(jsonFormat) && text.length > 1 && isOneLine(text);
  const value = isInline ? `"${name}":${text.slice(1)}` : `"${name}Text":${JSON.stringify(text)}`;
  return `${value},"${name}Crc":${crc}`;
}

function decodePart(name: Part, members: string): Sealed {
  const crcMember = `,"${name}Crc":`;
  const crcAt = members.lastIndexOf(crcMember);
  const colon = members.indexOf(':');
  const value = members.slice(colon + 1, crcAt);
  const isText = members.slice(0, colon) === `"${name}Text"`;
  return {
    // One that is none is corrupt, as its checksum tells.
    text: isText ? ((storedJson(value, isAnyText) as string | undefined) ?? '') : `${jsonFormat}${value}`,
    crc: Number(members.slice(crcAt + crcMember.length)),
  };
}

function startOf(runId: string, { covers, seq }: SnapshotKey): string {
  return `{"runId":${JSON.stringify(runId)},"covers":${covers},"seq":${seq},`;
}

function placeOf(runId: string, { covers, seq }: SnapshotKey, part: Part): string {
  return `${runId} snapshot ${covers} ${seq} ${part} `;
}
