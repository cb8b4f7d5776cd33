import type { StoredRecord } from '../contract/commit.ts';

/**
 * Most records are a kind, a time and a payload. What their texts have in common takes as much room as what they say, so
 * a row holds them as `kind time payload`, the time in base 36; a text of another shape is held as it is.
 */

/** What the codec's texts begin with, and no short one. */
const wholeMark = 'j';
/** Stands before a text that is neither, so that it is not taken for a short one. */
const otherMark = '!';
const common = /^j\{"v":1,"kind":"([a-ik-z][a-z-]*)","at":(\d+)(?:,"payload":|\}$)/;

const lowDigits = 5;
const lowPart = 36 ** lowDigits;

type Common = readonly [opening: string, kind: string, at: string];

/** A record's text as a row holds it; where it is known what that says, the text is not even looked at. */
export function shortenRecord({ text, bare }: Pick<StoredRecord, 'text' | 'bare'>): string {
  return bare === undefined ? shortenText(text) : short(bare.kind, shortenTime(bare.at), bare.payload);
}

function shortenText(text: string): string {
  const found = text.endsWith('}') ? (common.exec(text) as Common | null) : null;
  const time = found === null ? undefined : timeOf(found[2]);
  if (found === null || time === undefined) return text.startsWith(wholeMark) ? text : otherMark + text;
  const [opening, kind] = found;
  return short(kind, shortenTime(time), opening === text ? undefined : text.slice(opening.length, -1));
}

function short(kind: string, time: string, payload: string | undefined): string {
  return payload === undefined ? `${kind} ${time}` : `${kind} ${time} ${payload}`;
}

/** Digits that are no whole number, or not as one is written, cannot be told from it. */
function timeOf(digits: string): number | undefined {
  const time = Number(digits);
  return Number.isSafeInteger(time) && (!digits.startsWith('0') || digits === '0') ? time : undefined;
}

/** Many in a row are of the same millisecond. */
let last = { time: 0, short: '0' };

function shortenTime(time: number): string {
  if (time === last.time) return last.short;
  // In two parts, because numbers that take no more than 31 bits are several times as fast.
  const high = Math.floor(time / lowPart);
  const low = (time - high * lowPart).toString(36);
  last = { time, short: high === 0 ? low : high.toString(36) + low.padStart(lowDigits, '0') };
  return last.short;
}

/** A time that is not written as we write it has been changed, though it may be the same: no checksum would tell. */
function lengthenTime(short: string): string {
  const time = Number.parseInt(short, 36);
  return shortenTime(time) === short ? String(time) : short;
}

/** The record's text again. */
export function lengthenRecord(short: string): string {
  if (short.startsWith(wholeMark)) return short;
  if (short.startsWith(otherMark)) return short.slice(otherMark.length);
  const kindEnd = short.indexOf(' ');
  const timeEnd = short.indexOf(' ', kindEnd + 1);
  const opening = `j{"v":1,"kind":"${short.slice(0, kindEnd)}","at":`;
  if (timeEnd === -1) return `${opening}${lengthenTime(short.slice(kindEnd + 1))}}`;
  return `${opening}${lengthenTime(short.slice(kindEnd + 1, timeEnd))},"payload":${short.slice(timeEnd + 1)}}`;
}
