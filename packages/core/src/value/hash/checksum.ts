import { crc32 } from 'node:zlib';

/**
 * The CRC-32 of a text and its position, as an unsigned 32-bit integer.
 *
 * Including the position detects records that were moved or duplicated, not only changed ones. No separator is needed:
 * a position ends in a digit or a word, and a text starts with its format character.
 */
export function checksum(place: string, text: string): number {
  return crc32(place + text);
}
