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

/** What the last text with a payload began with, and what that is in short: many in a row are of one kind and one time. */
let lastOpening = '\0';
let lastShort = '';

/** A record's text as a row holds it. */
export function shortenRecord(text: string): string {
  if (!text.endsWith('}')) return asItIs(text);
  if (text.startsWith(lastOpening)) return lastShort + text.slice(lastOpening.length, -1);
  const found = common.exec(text) as Common | null;
  const time = found === null ? undefined : shortenTime(found[2]);
  if (found === null || time === undefined) return asItIs(text);
  const [opening, kind] = found;
  if (opening === text) return `${kind} ${time}`;
  lastOpening = opening;
  lastShort = `${kind} ${time} `;
  return lastShort + text.slice(opening.length, -1);
}

function asItIs(text: string): string {
  return text.startsWith(wholeMark) ? text : otherMark + text;
}

/** Digits that are no whole number, or not as one is written, cannot be told from it. */
function shortenTime(digits: string): string | undefined {
  const time = Number(digits);
  if (!Number.isSafeInteger(time) || (digits.startsWith('0') && digits !== '0')) return undefined;
  // In two parts, because numbers that take no more than 31 bits are several times as fast.
  const high = Math.floor(time / lowPart);
  const low = (time - high * lowPart).toString(36);
  return high === 0 ? low : high.toString(36) + low.padStart(lowDigits, '0');
}

function lengthenTime(short: string): string {
  return String(Number.parseInt(short, 36));
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
