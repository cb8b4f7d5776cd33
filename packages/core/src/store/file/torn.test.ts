import { beforeAll, describe, expect, test } from 'vitest';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { type Contents, envOf, journalOf, reopen, root, smallStore, withFile } from '../../testing/file/small-store.ts';
import { newline } from '../../value/hash/sealed-line.ts';
import { folderName } from './folder/names.ts';
import { findRun } from './run/find-run.ts';

let contents: Contents;
let path: string;
let bytes: Buffer;
/** Where the last commit begins. */
let last: number;
/** What is there without the last commit. */
let before: unknown;

beforeAll(async () => {
  contents = await smallStore('killed');
  path = journalOf(contents, 'a');
  bytes = Buffer.from(contents.get(path) as Uint8Array);
  const tail = JSON.parse(bytes.toString().trimEnd().split('\n').at(-1) as string) as { readonly from: number };
  last = tail.from;
  before = (await reopen(withFile(contents, path, bytes.subarray(0, last)))).everything;
});

function everyFifth(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / 5) }, (_, at) => from + 5 * at);
}

/** What becomes of the store with this for a journal: `torn` when the last commit is cut off and said, and nothing else is. */
async function fateOf(journal: Uint8Array): Promise<string> {
  const { everything, error, warnings, contents: after } = await reopen(withFile(contents, path, journal));
  const left = Buffer.from(after.get(path) as Uint8Array);
  if (HoldfastError.is(error, 'HOLDFAST_CORRUPT')) return left.equals(journal) ? 'corrupt' : 'corrupt, and changed';
  expect(error).toBe(undefined);
  expect(everything).toEqual(before);
  expect(warnings).toEqual([
    `The last ${journal.length - last} bytes of ${path.slice('/store/'.length)} were a commit that was never finished or acknowledged. They were cut off.`,
  ]);
  return left.equals(bytes.subarray(0, last)) ? 'torn' : 'cut elsewhere';
}

describe('a torn last commit', () => {
  test('is cut off and said, wherever it was torn', async () => {
    for (let length = last + 1; length < bytes.length; length += 3) {
      expect(await fateOf(bytes.subarray(0, length)), `at ${length}`).toBe('torn');
    }
  });

  test('is passed over by a reader, who changes and says nothing', async () => {
    for (let length = last + 1; length < bytes.length; length += 7) {
      const torn = bytes.subarray(0, length);
      const { everything, warnings, contents: after } = await reopen(withFile(contents, path, torn), true);
      expect(everything, `at ${length}`).toEqual(before);
      expect(warnings).toEqual([]);
      expect(Buffer.from(after.get(path) as Uint8Array).equals(torn)).toBe(true);
    }
  });

  test('is cut off when the end of it reads as zeros', async () => {
    for (let from = last; from < bytes.length; from += 3) {
      const torn = Buffer.concat([bytes.subarray(0, from), Buffer.alloc(bytes.length - from)]);
      expect(await fateOf(torn), `zeros from ${from}`).toBe('torn');
    }
  });

  test('is cut off when sectors of it read as zeros', async () => {
    for (let sector = Math.floor(last / 512); sector * 512 < bytes.length; sector += 1) {
      const torn = Buffer.from(bytes);
      torn.fill(0, Math.max(last, sector * 512), Math.min(bytes.length, sector * 512 + 512));
      expect(await fateOf(torn), `sector ${sector}`).toBe('torn');
    }
  });

  test('is cut off when sectors of it read as zeros and the zero follows that a reopening writes', async () => {
    for (let sector = Math.floor(last / 512); sector * 512 < bytes.length; sector += 1) {
      const torn = Buffer.concat([bytes, Buffer.alloc(1)]);
      torn.fill(0, Math.max(last, sector * 512), Math.min(bytes.length, sector * 512 + 512));
      expect(await fateOf(torn), `sector ${sector}`).toBe('torn');
    }
  });

  test('is cut off when it is only zeros', async () => {
    expect(await fateOf(Buffer.concat([bytes.subarray(0, last), Buffer.alloc(4_096)]))).toBe('torn');
  });

  test('stays cut off', async () => {
    const { contents: after } = await reopen(withFile(contents, path, bytes.subarray(0, -3)));
    const { everything, warnings } = await reopen(after);
    expect(everything).toEqual(before);
    expect(warnings).toEqual([]);
  });
});

describe('the first commit of a run', () => {
  test('leaves no run when it is torn anywhere', async () => {
    const only = journalOf(contents, 'b');
    const whole = contents.get(only) as Uint8Array;
    const place = { root, folder: folderName('b') };
    for (let length = 0; length < whole.length; length += 1) {
      const disk = SimulatedDisk.of([[only, whole.subarray(0, length)]]);
      const found = await findRun({ env: envOf(disk), place });
      expect(found.state, `at ${length}`).toBe(undefined);
      expect(found.torn, `at ${length}`).toEqual({ first: 4, length: 0 });
    }
  });

  test('leaves no folder when it is torn', async () => {
    const only = journalOf(contents, 'b');
    const torn = (contents.get(only) as Uint8Array).subarray(0, 50);
    const { everything, contents: after } = await reopen(withFile(contents, only, torn));
    expect(everything).toMatchObject({ headers: [{ runId: 'a' }] });
    expect([...after.keys()].some((name) => name.includes(folderName('b')))).toBe(false);
  });
});

describe('what looks torn and is not', () => {
  test('is a whole commit whose last newline is another byte', async () => {
    for (const byte of [0x0b, 0x08, 0x4a, 0x8a, 0x20]) {
      const corrupt = Buffer.concat([bytes.subarray(0, -1), Buffer.from([byte])]);
      expect(await fateOf(corrupt), `byte ${byte}`).toBe('corrupt');
    }
  });

  test('is a whole commit with a flipped bit that zeros follow', async () => {
    for (const at of [...everyFifth(last, bytes.length), bytes.length - 1]) {
      const corrupt = Buffer.concat([bytes, Buffer.alloc(3)]);
      corrupt.writeUInt8(corrupt.readUInt8(at) ^ 1, at);
      expect(await fateOf(corrupt), `a flipped bit at ${at}`).toBe('corrupt');
    }
  });

  test('is a lone zero inside the last commit', async () => {
    for (let at = last + 1; at < bytes.length - 1; at += 5) {
      const corrupt = Buffer.from(bytes);
      corrupt[at] = 0;
      expect(await fateOf(corrupt), `a zero at ${at}`).toBe('corrupt');
    }
  });

  test('is a hole of zeros in a commit that others follow', async () => {
    const inFirst = Buffer.from(bytes);
    inFirst.fill(0, 5, bytes.indexOf(newline) - 5);
    expect(await fateOf(inFirst)).toBe('corrupt');
    const beforeLast = Buffer.from(bytes);
    beforeLast.fill(0, last - 40, last + 1);
    expect(await fateOf(beforeLast)).toBe('corrupt');
  });
});
