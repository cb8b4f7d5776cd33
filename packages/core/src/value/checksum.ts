import { crc32 } from 'node:zlib';

/**
 * The CRC-32 of a text at its place, as an unsigned 32-bit integer.
 *
 * The place is part of it, so that a record that was moved or duplicated is found as well as one that was changed.
 * A place ends in a digit or a word and a text begins with its format character, so nothing need stand between them.
 */
export function checksum(place: string, text: string): number {
  return crc32(place + text);
}
