import { crc32 } from 'node:zlib';

/** The byte that ends a line. */
export const newline = 0x0a;

const closingBrace = 0x7d;

/**
 * Adds a checksum as the last member of a JSON object. It covers the members and their position, so that moved data is
 * detected as well as changed data.
 */
export function seal(place: string, members: string, name = 'sum'): string {
  return `${members}${sumMember(name, crc32(`${place}${members}`))}`;
}

/** Removes the checksum from the members; undefined if they are not exactly what was sealed at this position. */
export function unseal(place: string, sealed: Uint8Array, name = 'sum'): string | undefined {
  const bytes = toBuffer(sealed);
  return isSealed(place, bytes, name) ? bytes.toString('utf8', 0, bytes.length - sumBytes(name)) : undefined;
}

/** Seals an object as a line. `open` is the object without its closing brace. */
export function sealLine(place: string, open: string): string {
  return `${seal(place, open)}}\n`;
}

/** The object of a line without newline, without its closing brace. */
export function openLine(place: string, line: Uint8Array): string | undefined {
  return line.at(-1) === closingBrace ? unseal(place, line.subarray(0, -1)) : undefined;
}

/** Whether a line without newline is what was sealed at this position. */
export function isSealedLine(place: string, line: Uint8Array): boolean {
  return line.at(-1) === closingBrace && isSealed(place, toBuffer(line.subarray(0, -1)), 'sum');
}

/** The object of a file with exactly one line; undefined otherwise. */
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

/** The length of the checksum member. */
function sumBytes(name: string): number {
  return name.length + 14;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
