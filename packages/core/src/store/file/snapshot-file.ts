import type { Files } from '../../env/files.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { newline, seal, unseal } from '../../value/sealed-line.ts';
import type { Sealed, SnapshotKey, StoredSnapshot } from '../contract.ts';
import { isInlineJson, jsonFormat } from './inline-text.ts';
import { isMissing } from './system-error.ts';

/** Most heads are much shorter; a longer one costs a second read. */
const headBytes = 4_096;

/** What is given for a part that is not what was written: no text has this checksum, so that it counts as damaged. */
export const damagedPart: Sealed = { text: '', crc: -1 };

/** Which snapshot, of which run, and whether with its body. */
export interface SnapshotWish {
  readonly run: string;
  readonly key: SnapshotKey;
  readonly body: boolean;
}

type Part = 'head' | 'body';

/**
 * The bytes of a snapshot's file: one JSON object in two lines, each with a checksum of its own, so that the head can be
 * read without the body.
 */
export function encodeSnapshot(run: string, { covers, seq, head, body = damagedPart }: StoredSnapshot): Buffer {
  const key = { covers, seq };
  const first = seal(placeOf(run, key, 'head'), `${startOf(run, key)}${encodePart('head', head)}`, 'headSum');
  const second = seal(placeOf(run, key, 'body'), encodePart('body', body), 'bodySum');
  return Buffer.from(`${first},\n${second}}\n`);
}

/** A snapshot's head, and its body where that is asked for; what is damaged or gone is given as such. */
export async function readSnapshot(
  files: Files,
  path: string,
  { run, key, body }: SnapshotWish,
): Promise<StoredSnapshot> {
  const bytes = await readLines(files, path, body);
  const stop = Math.max(1, bytes.indexOf(newline));
  const start = startOf(run, key);
  const isComma = bytes[stop - 1] === 0x2c;
  const head = isComma ? unseal(placeOf(run, key, 'head'), bytes.subarray(0, stop - 1), 'headSum') : undefined;
  return {
    covers: key.covers,
    seq: key.seq,
    head: head?.startsWith(start) ? decodePart('head', head.slice(start.length)) : damagedPart,
    body: body ? openBody(placeOf(run, key, 'body'), bytes.subarray(stop + 1)) : undefined,
  };
}

function openBody(place: string, bytes: Buffer): Sealed {
  if (bytes.toString('latin1', bytes.length - 2) !== '}\n') return damagedPart;
  const body = unseal(place, bytes.subarray(0, -2), 'bodySum');
  return body === undefined ? damagedPart : decodePart('body', body);
}

/** Nothing, where there is nothing, or a link: a snapshot that is gone is a damaged one, and never hides the others. */
async function readLines(files: Files, path: string, whole: boolean): Promise<Buffer> {
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
    if (isMissing(error) || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE')) return Buffer.alloc(0);
    throw error;
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function encodePart(name: Part, { text, crc }: Sealed): string {
  const value = isInlineJson(text) ? `"${name}":${text.slice(1)}` : `"${name}Text":${JSON.stringify(text)}`;
  return `${value},"${name}Crc":${crc}`;
}

function decodePart(name: Part, members: string): Sealed {
  const crcMember = `,"${name}Crc":`;
  const crcAt = members.lastIndexOf(crcMember);
  const colon = members.indexOf(':');
  const value = members.slice(colon + 1, crcAt);
  const isText = members.slice(0, colon) === `"${name}Text"`;
  return {
    text: isText ? (JSON.parse(value) as string) : `${jsonFormat}${value}`,
    crc: Number(members.slice(crcAt + crcMember.length)),
  };
}

function startOf(run: string, { covers, seq }: SnapshotKey): string {
  return `{"run":${JSON.stringify(run)},"covers":${covers},"seq":${seq},`;
}

function placeOf(run: string, { covers, seq }: SnapshotKey, part: Part): string {
  return `${run} snapshot ${covers} ${seq} ${part} `;
}
