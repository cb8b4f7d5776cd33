import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { headerOf } from '../../../testing/contract/given.ts';
import { frameBytes, leftCommits, withFlip, withLeftLog } from '../../../testing/sqlite/left-log.ts';
import { openAt } from '../../../testing/sqlite/sqlite-places.ts';
import { corruptFrame } from './log-scan.ts';

function scan(log: Uint8Array): number | undefined {
  return corruptFrame((position, length) => log.subarray(position, position + length));
}

function frameAt(byte: number): number {
  return Math.floor((byte - 32) / frameBytes);
}

describe('corruptFrame()', () => {
  test('finds a flipped bit anywhere but in what may never have been finished', async () => {
    await withLeftLog(async (_path, log) => {
      const frames = (log.length - 32) / frameBytes;
      expect(frames).toBeGreaterThan(2 * leftCommits);
      expect(scan(log)).toBeUndefined();
      for (let byte = 32; byte < log.length - 4 * frameBytes; byte += 211) {
        expect(scan(withFlip(log, byte, byte % 8))).toBe(32 + frameAt(byte) * frameBytes);
      }
    });
  });

  test('finds a flipped bit in its head', async () => {
    await withLeftLog(async (_path, log) => {
      for (let byte = 0; byte < 32; byte += 1)
        for (let bit = 0; bit < 8; bit += 1) expect(scan(withFlip(log, byte, bit))).toBe(0);
    });
  });

  test('finds frames that were zeroed in the middle', async () => {
    await withLeftLog(async (_path, log) => {
      const zeroed = Buffer.from(log).fill(0, 8_300, 16_384);
      expect(scan(zeroed)).toBe(32 + frameAt(8_300) * frameBytes);
    });
  });

  test('takes a last transaction that is torn anywhere, in any order, for one that was never finished', async () => {
    await withLeftLog(async (_path, log) => {
      const last = log.length - 2 * frameBytes;
      for (let end = last; end < log.length; end += 307) expect(scan(log.subarray(0, end))).toBeUndefined();
      for (let sector = last & ~511; sector < log.length; sector += 512) {
        const lost = Buffer.from(log);
        lost.fill(0, Math.max(sector, last), Math.min(sector + 512, log.length));
        expect(scan(lost)).toBeUndefined();
      }
    });
  });

  test('takes no frames of an earlier round, or of one that another process wrote over, for what follows', async () => {
    await withLeftLog(async (_path, log) => {
      // Ten frames of a process that died in a long transaction, of which another one has since written over two.
      const salts = log.subarray(32 + 8, 32 + 16);
      const stale = Buffer.alloc(8 * frameBytes, 7);
      for (let at = 0; at < stale.length; at += frameBytes) {
        stale.writeUInt32BE(5, at);
        stale.writeUInt32BE(at === 7 * frameBytes ? 9 : 0, at + 4);
        salts.copy(stale, at + 8);
      }
      expect(scan(Buffer.concat([log, stale]))).toBeUndefined();
      const other = Buffer.from(log);
      for (let at = 32; at < other.length; at += frameBytes) other.writeUInt32BE(1, at + 8);
      expect(scan(Buffer.concat([log, other.subarray(32)]))).toBeUndefined();
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a head of zeros', Buffer.alloc(100)],
    ['zeros', Buffer.alloc(9_000)],
    ['another head', Buffer.alloc(9_000, 0x37)],
  ])('takes a log of %s for an empty one, as SQLite does', (_name, log) => {
    expect(scan(log)).toBeUndefined();
  });
});

describe('a log that was left', () => {
  test('is refused where commits would be dropped, and left alone', async () => {
    await withLeftLog(async (path, log) => {
      const corrupt = withFlip(log, 20_000);
      await writeFile(`${path}-wal`, corrupt);
      await expect(openAt(path)).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        message: expect.stringContaining('durability=normal'),
        details: { path: `${path}-wal` },
      });
      expect(await readFile(`${path}-wal`)).toEqual(corrupt);
    });
  });

  test('is taken as it is where it is whole', async () => {
    await withLeftLog(async (path) => {
      const { store } = await openAt(path);
      expect((await headerOf(store, 'run')).head).toBe(leftCommits);
      await store.close();
    });
  });
});
