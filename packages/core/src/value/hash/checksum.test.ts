import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checksum } from './checksum.ts';

describe('checksum()', () => {
  test('is the CRC-32 of the position and the text in UTF-8', () => {
    expect(checksum('1234', '56789')).toBe(0xcbf43926);
    expect(checksum('run@5', 'j"é"')).toBe(crc32(Buffer.from('run@5j"é"')));
  });

  test('differs if the position or the text differs', () => {
    expect(new Set([checksum('run@1', 'j1'), checksum('run@2', 'j1'), checksum('run@1', 'j2')]).size).toBe(3);
  });

  test('is an unsigned 32-bit integer', () => {
    for (let seq = 0; seq < 1_000; seq++) {
      const crc = checksum(`run@${seq}`, 'j1');
      expect(Number.isInteger(crc) && crc >= 0 && crc < 2 ** 32).toBe(true);
    }
  });
});
