/**
 * Most records are a kind, a time and a payload. What their texts have in common takes as much room as what they say, so
 * a row holds them as `kind time payload`, the time in base 36; a text of another shape is held as it is.
 */

/** What the codec's texts begin with, and no short one: no kind does. */
const wholeMark = 'j';
/** Stands before a text that begins otherwise, so that it is not taken for a short one. */
const otherMark = '!';
/** Up to 15 digits are exact as a number, and written in one way. */
const common = /^j\{"v":1,"kind":"([a-ik-z][a-z-]*)","at":(0|[1-9]\d{0,14})(,"payload":|\}$)/;

type Common = readonly [opening: string, kind: string, at: string];

/** A record's text as a row holds it. */
export function shortenText(text: string): string {
  const found = text.endsWith('}') ? (common.exec(text) as Common | null) : null;
  if (found === null) return text.startsWith(wholeMark) ? text : otherMark + text;
  const [opening, kind, at] = found;
  const time = Number(at).toString(36);
  return opening === text ? `${kind} ${time}` : `${kind} ${time} ${text.slice(opening.length, -1)}`;
}

/** The record's text again. */
export function lengthenText(short: string): string {
  if (short.startsWith(wholeMark)) return short;
  if (short.startsWith(otherMark)) return short.slice(otherMark.length);
  const kindEnd = short.indexOf(' ');
  const timeEnd = short.indexOf(' ', kindEnd + 1);
  const opening = `j{"v":1,"kind":"${short.slice(0, kindEnd)}","at":`;
  const at = Number.parseInt(short.slice(kindEnd + 1, timeEnd === -1 ? undefined : timeEnd), 36);
  return timeEnd === -1 ? `${opening}${at}}` : `${opening}${at},"payload":${short.slice(timeEnd + 1)}}`;
}
