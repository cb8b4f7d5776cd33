import { bareMembers } from '../../../record/record-codec.ts';
import type { StoredRecord } from '../../contract/commit.ts';
import { isOneLine } from './one-line.ts';

/**
 * How a line with a record begins. The record's own JSON follows as members of the same object, then the checksum that
 * the store was given for it, and the id that a user chose.
 */
export const recordStart = '{"seq":';

const textMember = '"text":';
const crcMember = ',"crc":';
const keyMember = ',"key":';

/** The line of a record, without its checksum and closing brace. */
export function encodeRecord({ seq, id, text, crc, bare }: StoredRecord): string {
  const body = bare === undefined ? bodyOf(text) : bareMembers(bare);
  const key = id === undefined ? '' : `${keyMember}${JSON.stringify(id)}`;
  return `${recordStart}${seq},${body}${crcMember}${crc}${key}`;
}

function bodyOf(text: string): string {
  return isInlineObject(text) ? text.slice(2, -1) : `${textMember}${JSON.stringify(text)}`;
}

/**
 * The record of a line whose checksum has been found right. The text is cut out by its place, never parsed: quotes
 * inside JSON strings are escaped, so that the last `,"key":` and `,"crc":` outside the key are ours.
 */
export function decodeRecord(open: string): StoredRecord {
  const bodyAt = open.indexOf(',') + 1;
  const keyAt = open.endsWith('"') ? open.lastIndexOf(keyMember) : -1;
  const tailAt = keyAt === -1 ? open.length : keyAt;
  const crcAt = open.lastIndexOf(crcMember, tailAt - 1);
  const body = open.slice(bodyAt, crcAt);
  return {
    seq: Number(open.slice(recordStart.length, bodyAt - 1)),
    id: keyAt === -1 ? undefined : (JSON.parse(open.slice(keyAt + keyMember.length)) as string),
    text: body.startsWith(textMember) ? (JSON.parse(body.slice(textMember.length)) as string) : `j{${body}}`,
    crc: Number(open.slice(crcAt + crcMember.length, tailAt)),
  };
}

/** The seq that a line says, without a look at the rest of it; undefined when it is not a record's line. */
export function seqOfLine(line: Uint8Array): number | undefined {
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, 32)).toString('latin1');
  const found = /^\{"seq":(\d{1,16}),/.exec(start)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A lone member named `text` would be taken for a text that is kept as a string. */
function isInlineObject(text: string): boolean {
  return text.startsWith('j{"') && text.endsWith('}') && !text.startsWith(textMember, 2) && isOneLine(text);
}
