import { beforeEach, describe, expect, test } from 'vitest';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { commit, create, externalWriteOf, note } from '../../../testing/contract/given.ts';
import { crashChoice } from '../../../testing/disk/crash-choice.ts';
import type { DiskFaultPlan } from '../../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../../testing/disk/simulated-disk.ts';
import { envOf, journalOf, root, withFile } from '../../../testing/file/small-store.ts';
import { virtualMachine } from '../../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../../checked-store.ts';
import { type OpenFileOptions, openFileDriver } from '../open.ts';
import { blank } from './segment-room.ts';

const sector = 512;
/** Smaller than in a store for users, so that it is made and filled after a few commits. */
const room = { after: 2, step: 4_096 };

let disk: SimulatedDisk;
let faults: DiskFaultPlan;
let store: CheckedStore;
let warnings: readonly string[];

beforeEach(async () => {
  faults = () => undefined;
  disk = new SimulatedDisk({
    faults: (operation) => (operation.path.includes('/journal-') ? faults(operation) : undefined),
  });
  await open();
});

/** Opens the store as if whoever had it open before had been killed. */
async function open(options: Partial<OpenFileOptions> = {}, on = disk): Promise<void> {
  const env = envOf(on);
  const machine = virtualMachine();
  machine.die();
  warnings = env.warnings;
  store = new CheckedStore(await openFileDriver({ dir: root, env, machine, room, ...options }), env);
}

/** Commits records to the run until it has so many. */
async function growTo(head: number, runId = 'run'): Promise<void> {
  const found = await store.header(runId);
  if (found === undefined) await create(store, runId);
  for (let expect = found?.head ?? 1; expect < head; expect += 1) {
    await commit(store, externalWriteOf(runId, { expect, entries: [note(`number ${expect + 1}`)] }));
  }
}

async function headOf(runId = 'run'): Promise<number | undefined> {
  return (await store.records({ runId, order: 'newest', limit: 1 }))[0]?.seq;
}

/** The run's first journal file. */
function journal(runId = 'run'): Buffer {
  return Buffer.from(disk.contents().get(journalOf(disk.contents(), runId)) as Uint8Array);
}

/** What was written to it. */
function writtenOf(bytes: Buffer): string {
  return bytes.toString().trimEnd().concat('\n');
}

/** The journal as a killed process leaves it, the place where its last commit begins, and the one where it ends. */
function killedJournal(): { readonly bytes: Buffer; readonly from: number; readonly end: number } {
  const bytes = journal();
  const lines = bytes.toString().trimEnd().split('\n');
  const { from } = JSON.parse(lines.at(-1) as string) as { readonly from: number };
  return { bytes, from, end: bytes.lastIndexOf('\n') + 1 };
}

/** The head that is found with this for a journal; `corrupt` when the run is refused. */
async function headWith(bytes: Uint8Array): Promise<number | 'corrupt' | undefined> {
  const contents = disk.contents();
  try {
    await open({}, SimulatedDisk.of(withFile(contents, journalOf(contents, 'run'), bytes)));
    return await headOf();
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_CORRUPT')) return 'corrupt';
    throw error;
  }
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
}

describe('the journal of a run that does a few steps', () => {
  test('ends with its last commit', async () => {
    await growTo(3);
    expect(journal().toString()).toBe(writtenOf(journal()));
  });
});

describe('the journal of a busy run', () => {
  test('has white space behind its last commit', async () => {
    await growTo(4);
    const text = journal().toString();
    expect(text).toMatch(/\}\n\t+$/);
    expect(text.length % room.step).toBe(0);
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(8);
  });

  test('does not become longer with a commit for which there is room', async () => {
    await growTo(4);
    const { length } = journal();
    const writes: number[] = [];
    faults = ({ kind, bytes = 0 }) => void (kind === 'write' && writes.push(bytes));
    await growTo(5);
    expect(journal().length).toBe(length);
    expect(writes).toEqual([expect.toSatisfy((bytes: number) => bytes < 2 * sector)]);
  });

  test('gets more room when there is none left', async () => {
    await growTo(20);
    expect(journal().length).toBeGreaterThan(2 * room.step);
    expect(journal().length % room.step).toBe(0);
    expect(await headOf()).toBe(20);
  });

  test('is gone on with after its process was killed, and nothing is said', async () => {
    await growTo(5);
    await open();
    await growTo(9);
    expect(await headOf()).toBe(9);
    await open();
    expect(await headOf()).toBe(9);
    expect(warnings).toEqual([]);
  });

  test('is read by another process', async () => {
    await growTo(6);
    const env = envOf(disk);
    const reader = new CheckedStore(await openFileDriver({ dir: root, env, readOnly: true }), env);
    expect(await reader.records({ runId: 'run', order: 'oldest', limit: 10 })).toHaveLength(6);
    expect(await reader.runs({ order: 'oldest', limit: 10 })).toMatchObject([{ runId: 'run', head: 6 }]);
  });

  test('has its room cut off after a commit for which the disk has no space, and takes the next one', async () => {
    await growTo(4);
    const written = writtenOf(journal());
    faults = ({ kind }) => (kind === 'write' ? { code: 'ENOSPC', written: 100 } : undefined);
    await expect(growTo(5)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    expect(journal().toString()).toBe(written);
    faults = () => undefined;
    await growTo(6);
    await open();
    expect(await headOf()).toBe(6);
    expect(warnings).toEqual([]);
  });

  test('does without room while the disk has no space for it', async () => {
    await growTo(3);
    faults = ({ kind, bytes = 0 }) => (kind === 'write' && bytes > 2 * sector ? { code: 'ENOSPC' } : undefined);
    await expect(growTo(4)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    await growTo(4);
    expect(await headOf()).toBe(4);
  });
});

describe('the room', () => {
  test('is cut off for good when the store is closed', async () => {
    await growTo(5);
    const written = writtenOf(journal());
    await store.close();
    disk = disk.afterCrash(crashChoice('nothing', () => 0));
    expect(journal().toString()).toBe(written);
  });

  test('is cut off by the next process that writes to the run and is closed, if one was killed', async () => {
    await growTo(5);
    await open();
    await growTo(6);
    await store.close();
    expect(journal().toString()).toBe(writtenOf(journal()));
  });

  test('is cut off for good when the next file is begun', async () => {
    await open({ segmentBytes: 2_000 });
    await growTo(9);
    const cut = disk.afterCrash(crashChoice('nothing', () => 0));
    disk = cut;
    expect(journal().toString()).toBe(writtenOf(journal()));
    await open();
    expect(await store.records({ runId: 'run', order: 'oldest', limit: 20 })).toHaveLength(9);
  });

  test('stays when too many files are open, and the run is gone on with', async () => {
    await open({ handles: 1 });
    await growTo(5);
    await growTo(5, 'other');
    expect(journal().toString()).toMatch(/\}\n\t+$/);
    for (let head = 6; head < 12; head += 1) {
      await growTo(head);
      await growTo(head, 'other');
    }
    await open();
    expect([await headOf(), await headOf('other')]).toEqual([11, 11]);
    expect(warnings).toEqual([]);
  });

  test.each(['\t', '\0'])('of a file that another one follows may have stayed as %j', async (byte) => {
    await open({ segmentBytes: 2_000 });
    await growTo(9);
    const contents = disk.contents();
    const longer = Buffer.concat([journal(), Buffer.alloc(700, byte)]);
    await open({}, SimulatedDisk.of(withFile(contents, journalOf(contents, 'run'), longer)));
    expect(await store.records({ runId: 'run', order: 'oldest', limit: 20 })).toHaveLength(9);
  });

  test('that could not be cut off for good makes the store one that was not closed', async () => {
    await growTo(5);
    faults = ({ kind }) => (kind === 'sync' ? { code: 'EIO' } : undefined);
    await store.close();
    expect([...disk.contents().keys()].filter((path) => path.endsWith('/index.jsonl'))).toEqual([]);
    faults = () => undefined;
    await open();
    expect(await headOf()).toBe(5);
  });

  test('that could not be cut off for good leaves a commit to the next file in doubt', async () => {
    await open({ segmentBytes: 2_000 });
    await growTo(4);
    faults = ({ kind }) => (kind === 'truncate' ? { code: 'EIO' } : undefined);
    const outcome = growTo(9);
    await expect(outcome).rejects.toMatchObject({ code: 'HOLDFAST_IN_DOUBT' });
  });
});

describe('a last commit that was written where there was room', () => {
  test('is cut off and said when it was torn', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    for (let at = from + 1; at < end; at += 7) {
      expect(await headWith(Buffer.from(bytes).fill(blank, at, end)), `torn at ${at}`).toBe(5);
      expect(warnings, `torn at ${at}`).toEqual([expect.stringContaining(`The last ${at - from} bytes of `)]);
    }
  });

  test('is cut off and said when any of its sectors was never written', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    expect(Math.floor(end / sector)).toBeGreaterThan(Math.floor(from / sector));
    for (let at = Math.floor(from / sector) * sector; at < end; at += sector) {
      const torn = Buffer.from(bytes).fill(blank, Math.max(from, at), Math.min(end, at + sector));
      expect(await headWith(torn), `without the sector at ${at}`).toBe(5);
      expect(warnings, `without the sector at ${at}`).toEqual([expect.stringContaining('never finished')]);
    }
  });

  test('was never there when none of it was written', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    expect(await headWith(Buffer.from(bytes).fill(blank, from, end))).toBe(5);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['room', 0],
    ['a zero, and room', 1],
    ['zeros', 4_096],
  ])('is refused when a bit of it was flipped and %s follow', async (_, zeros) => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    bytes.fill(0, end, Math.min(bytes.length, end + zeros));
    const newline = Array.from({ length: 8 }, (_, bit) => (end - 1) * 8 + bit);
    const others = Array.from({ length: Math.floor((end - 1 - from) * (8 / 13)) }, (_, at) => from * 8 + 13 * at);
    for (const bit of [...others, ...newline]) {
      expect(await headWith(flipped(bytes, bit)), `bit ${bit & 7} of byte ${bit >> 3}`).toBe('corrupt');
    }
  });

  test('is refused when a byte inside it is a lone tab', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    for (let at = from + 1; at < end - 1; at += 11) {
      expect(await headWith(Buffer.from(bytes).fill(blank, at, at + 1)), `byte ${at}`).toBe('corrupt');
    }
  });

  test('is not lost by a flipped bit of the room behind it', async () => {
    await growTo(6);
    const { bytes, end } = killedJournal();
    for (let bit = end * 8; bit < bytes.length * 8; bit += 101) {
      expect(await headWith(flipped(bytes, bit)), `bit ${bit & 7} of byte ${bit >> 3}`).toBe(6);
    }
  });
});
