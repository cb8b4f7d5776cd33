import { beforeEach, describe, expect, test } from 'vitest';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { commit, create, guestOf, note } from '../../testing/contract/given.ts';
import { crashChoice } from '../../testing/disk/crash-choice.ts';
import type { DiskFault } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { envOf, journalOf, root, withFile } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import { openFileDriver } from './open-driver.ts';

const tab = 0x09;
const sector = 512;
/** As in the store, but for a room that a test can fill. */
const room = { after: 2, step: 4_096 };

let disk: SimulatedDisk;
let fault: DiskFault | undefined;
let writes: number[];
let store: CheckedStore;
let warnings: readonly string[];

beforeEach(async () => {
  fault = undefined;
  writes = [];
  disk = new SimulatedDisk({
    faults: ({ kind, path, bytes }) => {
      if (!path.includes('/journal-') || kind !== 'write') return undefined;
      writes.push(bytes ?? 0);
      return fault;
    },
  });
  await open();
});

async function open(on = disk): Promise<void> {
  const env = envOf(on);
  const machine = virtualMachine();
  machine.die();
  warnings = env.warnings;
  store = new CheckedStore(await openFileDriver({ dir: root, env, machine, room }), env);
}

/** Commits records to the run until it has so many. */
async function growTo(head: number): Promise<void> {
  const found = await store.header('run');
  if (found === undefined) await create(store, 'run');
  for (let expect = found?.head ?? 1; expect < head; expect += 1) {
    await commit(store, guestOf('run', { expect, entries: [note(`number ${expect + 1}`)] }));
  }
}

async function headOf(): Promise<number | undefined> {
  return (await store.records({ run: 'run', order: 'newest', limit: 1 }))[0]?.seq;
}

function journal(): Buffer {
  return Buffer.from(disk.contents().get(journalOf(disk.contents(), 'run')) as Uint8Array);
}

/** The journal as the last process left it, the place where its last commit begins, and the one where it ends. */
function killedJournal(): { readonly bytes: Buffer; readonly from: number; readonly end: number } {
  const bytes = journal();
  const lines = bytes.toString().trimEnd().split('\n');
  const { from } = JSON.parse(lines.at(-1) as string) as { readonly from: number };
  return { bytes, from, end: bytes.lastIndexOf('\n') + 1 };
}

/** The head that is found with this for a journal; `damaged` when the run is refused. */
async function headWith(bytes: Uint8Array): Promise<number | 'damaged' | undefined> {
  const contents = disk.contents();
  try {
    await open(SimulatedDisk.of(withFile(contents, journalOf(contents, 'run'), bytes)));
    return await headOf();
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_DAMAGED')) return 'damaged';
    throw error;
  }
}

describe('the journal of a run that does a few steps', () => {
  test('ends with its last commit', async () => {
    await growTo(3);
    expect(journal().at(-1)).toBe('\n'.charCodeAt(0));
  });
});

describe('the journal of a busy run', () => {
  test('has room behind its last commit, which white space is to whoever reads it', async () => {
    await growTo(4);
    const text = journal().toString();
    expect(text).toMatch(/\}\n\t+$/);
    expect(text.length % room.step).toBe(0);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toHaveLength(8);
  });

  test('does not become longer with a commit for which there is room', async () => {
    await growTo(4);
    const { length } = journal();
    await growTo(5);
    expect(journal().length).toBe(length);
    expect(writes.at(-1)).toBeLessThan(2 * sector);
  });

  test('gets more room when there is none left', async () => {
    await growTo(20);
    expect(journal().length % room.step).toBe(0);
    expect(await headOf()).toBe(20);
  });

  test('ends with its last commit when the store is closed, for good', async () => {
    await growTo(5);
    const written = journal().toString().trimEnd();
    await store.close();
    expect(journal().toString()).toBe(`${written}\n`);
    disk = disk.afterCrash(crashChoice('nothing', Math.random));
    expect(journal().toString()).toBe(`${written}\n`);
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

  test('is read beside the process that writes it', async () => {
    await growTo(6);
    const env = envOf(disk);
    const reader = new CheckedStore(await openFileDriver({ dir: root, env, readOnly: true }), env);
    expect(await reader.records({ run: 'run', order: 'oldest', limit: 10 })).toHaveLength(6);
    expect(await reader.runs({ order: 'oldest', limit: 10 })).toMatchObject([{ run: 'run', head: 6 }]);
  });

  test('is as it was when the disk has no space for a commit, and takes the next one', async () => {
    await growTo(4);
    fault = { code: 'ENOSPC', written: 100 };
    await expect(growTo(5)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    fault = undefined;
    await growTo(6);
    await open();
    expect(await headOf()).toBe(6);
    expect(warnings).toEqual([]);
  });
});

describe('a last commit that was written where there was room', () => {
  test('is cut off and said when it was torn at any byte', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    for (let at = from + 1; at < end; at += 7) {
      expect(await headWith(Buffer.from(bytes).fill(tab, at, end)), `torn at ${at}`).toBe(5);
      expect(warnings.join(), `torn at ${at}`).toContain('never finished');
    }
  });

  test('is cut off and said when any of its sectors was never written', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    for (let at = Math.floor(from / sector) * sector; at < end; at += sector) {
      const torn = Buffer.from(bytes).fill(tab, Math.max(from, at), Math.min(end, at + sector));
      expect(await headWith(torn), `without the sector at ${at}`).toBe(5);
    }
  });

  test('was never there when none of it was written', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    expect(await headWith(Buffer.from(bytes).fill(tab, from, end))).toBe(5);
    expect(warnings).toEqual([]);
  });

  test('is refused when a bit of it was flipped', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    for (let bit = from * 8; bit < end * 8; bit += 13) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(await headWith(flipped), `bit ${bit & 7} of byte ${bit >> 3}`).toBe('damaged');
    }
  });

  test('is refused when a byte inside it is a lone tab', async () => {
    await growTo(6);
    const { bytes, from, end } = killedJournal();
    for (let at = from + 1; at < end - 1; at += 11) {
      expect(await headWith(Buffer.from(bytes).fill(tab, at, at + 1)), `byte ${at}`).toBe('damaged');
    }
  });

  test('is not lost by a flipped bit of the room behind it', async () => {
    await growTo(6);
    const { bytes, end } = killedJournal();
    for (let bit = end * 8; bit < bytes.length * 8; bit += 101) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(await headWith(flipped), `bit ${bit & 7} of byte ${bit >> 3}`).toBe(6);
    }
  });
});
