import { beforeAll, describe, expect, test } from 'vitest';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { type Contents, envOf, journalOf, reopen, root, smallStore, withFile } from '../../testing/file/small-store.ts';
import { newline } from '../../value/hash/sealed-line.ts';
import { folderName } from './folder/names.ts';
import { isCorrupt } from './read-records.ts';
import { findRun } from './run/find-run.ts';
import { readSnapshot } from './snapshot/snapshot-file.ts';

let killed: Contents;
let closed: Contents;

beforeAll(async () => {
  killed = await smallStore('killed');
  closed = await smallStore('closed');
});

interface Flip {
  readonly at: string;
  readonly byte: number;
  readonly flipped: Uint8Array;
}

function* flips(bytes: Uint8Array): Generator<Flip> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Uint8Array.from(bytes);
    const byte = bit >> 3;
    flipped[byte] = (flipped[byte] as number) ^ (1 << (bit & 7));
    yield { at: `bit ${bit & 7} of byte ${byte}`, byte, flipped };
  }
}

/** A slice; `npm run test:faults` flips bits of every byte. */
function* every<T>(items: Iterable<T>, nth: number): Generator<T> {
  let at = 0;
  for (const item of items) {
    if (at % nth === 0) yield item;
    at += 1;
  }
}

/** In which line a byte is, counted from 1. */
function lineOf(bytes: Uint8Array, at: number): number {
  return bytes.subarray(0, at).filter((byte) => byte === newline).length + 1;
}

function bytesOf(contents: Contents, path: string): Uint8Array {
  return contents.get(path) as Uint8Array;
}

function pathOf(contents: Contents, part: string): string {
  return [...contents.keys()].find((path) => path.includes(part)) as string;
}

describe('a flipped bit', () => {
  test.each(['a', 'b'])('all over the journal of run %s is found and located', async (runId) => {
    const path = journalOf(killed, runId);
    const place = { root, folder: folderName(runId) };
    const disk = SimulatedDisk.of([[path, bytesOf(killed, path)]]);
    const env = envOf(disk);
    expect((await findRun({ env, place })).torn).toBe(undefined);
    for (const { at, byte, flipped } of every(flips(bytesOf(killed, path)), 3)) {
      disk.put(path, flipped);
      const error = await findRun({ env, place }).catch((error: unknown) => error);
      expect(HoldfastError.is(error, 'HOLDFAST_CORRUPT'), at).toBe(true);
      const { file, line } = (error as HoldfastError).details;
      expect(file, at).toBe(path.slice('/store/'.length));
      expect(line, at).toBeLessThanOrEqual(lineOf(bytesOf(killed, path), byte));
    }
  });

  test.each(['a', 'b'])(
    'in the journal of run %s makes the store refuse the run, and leave it as it is',
    async (runId) => {
      const path = journalOf(killed, runId);
      for (const { at, flipped } of every(flips(bytesOf(killed, path)), 37)) {
        const { error, contents } = await reopen(withFile(killed, path, flipped));
        expect(HoldfastError.is(error, 'HOLDFAST_CORRUPT'), at).toBe(true);
        expect(Buffer.from(bytesOf(contents, path)).equals(flipped), at).toBe(true);
      }
    },
  );

  test('is found by a reader, too', async () => {
    const path = journalOf(killed, 'a');
    for (const { at, flipped } of every(flips(bytesOf(killed, path).subarray(0, 60)), 5)) {
      const corrupt = Uint8Array.from(bytesOf(killed, path));
      corrupt.set(flipped);
      const { error } = await reopen(withFile(killed, path, corrupt), true);
      expect(HoldfastError.is(error, 'HOLDFAST_CORRUPT'), at).toBe(true);
    }
  });

  test('at every place of a snapshot is found', async () => {
    const path = pathOf(killed, '/snapshot-');
    const disk = SimulatedDisk.of([[path, bytesOf(killed, path)]]);
    const wish = { runId: 'a', key: { covers: 2, seq: 2 }, body: true };
    expect(isCorrupt(await readSnapshot(disk, path, wish))).toBe(false);
    for (const { at, flipped } of flips(bytesOf(killed, path))) {
      disk.put(path, flipped);
      expect(isCorrupt(await readSnapshot(disk, path, wish)), at).toBe(true);
    }
  });

  test('in a snapshot hides neither the run nor its other snapshots', async () => {
    const path = pathOf(killed, '/snapshot-');
    for (const { at, flipped } of every(flips(bytesOf(killed, path)), 97)) {
      const { error, everything } = await reopen(withFile(killed, path, flipped));
      expect(error, at).toBe(undefined);
      expect(everything, at).toMatchObject({
        runs: [{ snapshots: [{ ok: false, covers: 2, seq: 2, error: { code: 'HOLDFAST_CORRUPT' } }] }, {}],
      });
    }
  });

  test('in none: a snapshot that is gone is given as a corrupt one', async () => {
    const without = new Map(killed);
    without.delete(pathOf(killed, '/snapshot-'));
    const { error, everything } = await reopen(without);
    expect(error).toBe(undefined);
    expect(everything).toMatchObject({ runs: [{ snapshots: [{ ok: false, covers: 2, seq: 2 }] }, {}] });
  });

  test('in the index is found and said, and the runs are read instead', async () => {
    const path = pathOf(closed, 'index.jsonl');
    const { everything: same } = await reopen(closed);
    for (const { at, flipped } of every(flips(bytesOf(closed, path)), 29)) {
      const { everything, warnings } = await reopen(withFile(closed, path, flipped));
      expect(warnings.length, at).toBe(1);
      expect(everything, at).toEqual(same);
    }
  });

  test.each(['lock-000001/holder.json', 'holdfast.json', 'leases.json'])('in %s is found', async (file) => {
    const path = pathOf(killed, file);
    for (const { at, flipped } of every(flips(bytesOf(killed, path)), 5)) {
      const { error } = await reopen(withFile(killed, path, flipped));
      expect(HoldfastError.is(error, 'HOLDFAST_CORRUPT'), at).toBe(true);
      expect((error as HoldfastError).details['where'], at).toBe(file);
    }
  });
});

function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const stop = bytes.indexOf(newline, at) + 1;
    lines.push(bytes.subarray(at, stop));
    at = stop;
  }
  return lines;
}

/** Whether the store refuses these lines for the journal of run a, and leaves them as they are. */
async function isRefused(lines: readonly Uint8Array[]): Promise<boolean> {
  const bytes = Buffer.concat(lines);
  const path = journalOf(killed, 'a');
  const { error, contents } = await reopen(withFile(killed, path, bytes));
  return HoldfastError.is(error, 'HOLDFAST_CORRUPT') && Buffer.from(bytesOf(contents, path)).equals(bytes);
}

describe('a journal', () => {
  test('is not refused as it was written', async () => {
    const { error, warnings } = await reopen(killed);
    expect(error).toBe(undefined);
    expect(warnings).toEqual([]);
  });

  test('is refused with any line dropped but the last ones', async () => {
    const lines = linesOf(bytesOf(killed, journalOf(killed, 'a')));
    for (let at = 0; at < lines.length - 2; at += 1) {
      expect(await isRefused(lines.toSpliced(at, 1)), `without line ${at + 1}`).toBe(true);
    }
  });

  test('is refused with any line twice', async () => {
    const lines = linesOf(bytesOf(killed, journalOf(killed, 'a')));
    for (const [at, line] of lines.entries()) {
      expect(await isRefused(lines.toSpliced(at, 0, line)), `line ${at + 1} twice`).toBe(true);
    }
  });

  test('is refused with any two lines swapped', async () => {
    const lines = linesOf(bytesOf(killed, journalOf(killed, 'a')));
    for (let a = 0; a < lines.length; a += 1) {
      for (let b = 0; b < a; b += 1) {
        const swapped = lines.with(a, lines[b] as Uint8Array).with(b, lines[a] as Uint8Array);
        expect(await isRefused(swapped), `lines ${b + 1} and ${a + 1} swapped`).toBe(true);
      }
    }
  });

  test('is refused in the folder of another run', async () => {
    expect(await isRefused([bytesOf(killed, journalOf(killed, 'b'))])).toBe(true);
  });
});
