import { crc32 } from 'node:zlib';

/** The byte that ends a line. */
export const newline = 0x0a;

const closingBrace = 0x7d;

/**
 * Members of a JSON object, followed by their checksum as one more member. It covers them and their place, so that
 * what was moved is found as well as what was changed.
 */
export function seal(place: string, members: string, name = 'sum'): string {
  return `${members}${sumMember(name, crc32(`${place}${members}`))}`;
}

/** The members again without their checksum; undefined when they are not, to the last bit, what was sealed there. */
export function unseal(place: string, sealed: Uint8Array, name = 'sum'): string | undefined {
  const bytes = toBuffer(sealed);
  return isSealed(place, bytes, name) ? bytes.toString('utf8', 0, bytes.length - sumBytes(name)) : undefined;
}

/** A sealed object as a line. `open` is the object without its closing brace. */
export function sealLine(place: string, open: string): string {
  return `${seal(place, open)}}\n`;
}

/** The object of a line, given without its newline, again without its closing brace. */
export function openLine(place: string, line: Uint8Array): string | undefined {
  return line.at(-1) === closingBrace ? unseal(place, line.subarray(0, -1)) : undefined;
}

/** Whether a line, given without its newline, is what was sealed there. */
export function isSealedLine(place: string, line: Uint8Array): boolean {
  return line.at(-1) === closingBrace && isSealed(place, toBuffer(line.subarray(0, -1)), 'sum');
}

/** The object of a file that is one line; undefined also when there is more, or less, than that. */
export function openOnlyLine(place: string, file: Uint8Array): string | undefined {
  return file.at(-1) === newline ? openLine(place, file.subarray(0, -1)) : undefined;
}

function isSealed(place: string, bytes: Buffer, name: string): boolean {
  const length = bytes.length - sumBytes(name);
  if (length <= 0) return false;
  return bytes.toString('latin1', length) === sumMember(name, crc32(bytes.subarray(0, length), crc32(place)));
}

function sumMember(name: string, sum: number): string {
  return `,"${name}":"${sum.toString(16).padStart(8, '0')}"`;
}

/** How long the member is. */
function sumBytes(name: string): number {
  return name.length + 14;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
