import { isText, isTime, type Shape } from '../../../value/data-shape.ts';
import type { Batch, StoredId, StoredRecord } from '../../contract/commit.ts';
import { storedJson } from '../../stored-json.ts';
import { isOneLine } from './one-line.ts';

/** How the line of a record begins. Our own members come first, then those of the record's own JSON. */
const recordStart = '{"seq":';

const textMember = '"text":';
const ownMembers = /^"(?:text|key|token)":/;
const jsonString = String.raw`"(?:[^"\\]|\\.)*"`;
const jsonKey = String.raw`\[${jsonString},[^,\]]+,[^,\]]+,${jsonString}\]`;
const beginning = new RegExp(
  String.raw`^\{"seq":(\d{1,16}),"crc":(-?\d+)(?:,"key":(${jsonKey}))?(?:,"token":(${jsonString}))?,`,
);

/** How a record's id stands in its line. */
type Key = readonly [id: string, at: number, crc: number, text: string];

/** The lines of a batch's records, without checksums and closing braces. The first one has the batch's token. */
export function encodeRecords({ records, ids, token }: Pick<Batch, 'records' | 'ids' | 'token'>): readonly string[] {
  return records.map((record, at) => {
    const id = ids.length === 0 ? undefined : ids.find(({ seq }) => seq === record.seq);
    return encodeRecord(record, { token: at === 0 ? token : undefined, id });
  });
}

interface LineParts {
  readonly token?: string | undefined;
  readonly id?: StoredId | undefined;
}

/** The line of a record, without its checksum and closing brace. */
export function encodeRecord({ seq, text, crc }: StoredRecord, { token, id }: LineParts = {}): string {
  const key = id === undefined ? '' : `,"key":${JSON.stringify([id.id, id.at, id.crc, id.text] satisfies Key)}`;
  const tokenMember = token === undefined ? '' : `,"token":${JSON.stringify(token)}`;
  const body = isInlineObject(text) ? text.slice(2, -1) : `${textMember}${JSON.stringify(text)}`;
  return `${recordStart}${seq},"crc":${crc}${key}${tokenMember},${body}`;
}

/** Whether a line whose checksum matched can be read as a record. */
export function isRecordLine(open: string): boolean {
  const found = beginning.exec(open);
  if (found === null) return false;
  const [start, , , key, token] = found;
  const texts = [
    token,
    open.startsWith(textMember, start.length) ? open.slice(start.length + textMember.length) : undefined,
  ];
  if (texts.some((text) => text !== undefined && storedJson(text, isText) === undefined)) return false;
  return key === undefined || storedJson(key, isKey) !== undefined;
}

const isKey: Shape = (value) => {
  const [id, at, crc, text] = value as readonly unknown[];
  return isText(id) && isTime(at) && Number.isSafeInteger(crc) && isText(text);
};

/** The record of a line whose checksum matched. The text is cut out by its place, never parsed, to keep every byte of it. */
export function decodeRecord(open: string): StoredRecord {
  const [start, seq, crc] = beginning.exec(open) as RegExpExecArray;
  const body = open.slice(start.length);
  return {
    seq: Number(seq),
    text: body.startsWith(textMember) ? (JSON.parse(body.slice(textMember.length)) as string) : `j{${body}}`,
    crc: Number(crc),
  };
}

/** The id of the record of a line whose checksum matched. */
export function idOf(open: string): StoredId | undefined {
  const [, seq, , key] = beginning.exec(open) as RegExpExecArray;
  if (key === undefined) return undefined;
  const [id, at, crc, text] = JSON.parse(key) as Key;
  return { id, seq: Number(seq), at, crc, text };
}

/** The token of the batch that begins with the record of this line; undefined for all but the first record of a batch. */
export function tokenOf(open: string): string | undefined {
  const token = beginning.exec(open)?.[4];
  return token === undefined ? undefined : (JSON.parse(token) as string);
}

/** The seq that a line says, without a look at the rest of it; undefined for a line that is not a record's. */
export function seqOfLine(line: Uint8Array): number | undefined {
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, 32)).toString('latin1');
  const found = /^\{"seq":(\d{1,16}),/.exec(start)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Whether a text is a JSON object that fits into the line as it is, so that `jq` and `grep` see into it. */
function isInlineObject(text: string): boolean {
  return text.startsWith('j{"') && text.endsWith('}') && !ownMembers.test(text.slice(2, 12)) && isOneLine(text);
}
