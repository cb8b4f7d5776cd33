/**
 * Checksums of rows. Of a few small columns, so that a CRC would cost more to call than to compute; each step gives
 * another sum for another value, so that a change of one number or character is always found.
 */

/** Where a sum begins. */
export const emptySum = 0x2545f491;

/** So that a value is never taken for one of another type. */
const nullMark = 0x5bd1e995;
const textMark = 0x27d4eb2f;
const otherMark = 0x165667b1;

/** The sum with a number or a text more, or with the absence of one. */
export function addToSum(sum: number, value: number | string | null): number {
  if (typeof value === 'string') return addText(sum, value);
  if (value === null) return mix(sum, nullMark);
  if (value === (value | 0)) return mix(sum, value);
  // Not only fractions: what corruption has made a blob is no number either.
  if (!Number.isSafeInteger(value)) return addText(mix(sum, otherMark), String(value));
  return mix(mix(sum, value | 0), Math.floor(value / 2 ** 32));
}

function addText(sum: number, text: string): number {
  let mixed = mix(mix(sum, textMark), text.length);
  for (let at = 0; at < text.length; at += 1) mixed = mix(mixed, text.charCodeAt(at));
  return mixed;
}

/** Multiplying by an odd number and folding the high bits in lose nothing. */
function mix(sum: number, bits: number): number {
  const product = Math.imul(sum ^ bits, 0x9e3779b1);
  return product ^ (product >>> 15);
}
