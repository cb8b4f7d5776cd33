import { beforeEach, describe, expect, test } from 'vitest';
import type { FileHandle, Waiting } from '../../env/files.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import { systemError } from '../../testing/disk/disk-fault.ts';
import { DurableWriter } from './durable-writer.ts';

let calls: string[];
let now: number;
let syncMs: number;
let handle: FileHandle;
let writer: DurableWriter;

beforeEach(() => {
  calls = [];
  now = 0;
  syncMs = 0.3;
  const call = (name: string, waiting?: Waiting): void => void calls.push(`${name} ${waiting}`);
  handle = {
    write: async (_, __, waiting) => call('write', waiting),
    sync: async (waiting) => {
      now += syncMs;
      call('sync', waiting);
    },
    read: async () => new Uint8Array(),
    size: async () => 0,
    truncate: async () => {},
    close: async () => {},
  };
  writer = new DurableWriter(() => now);
});

function write(isAlone: boolean, length = 10): Promise<void> {
  return writer.write(handle, { bytes: new Uint8Array(length), position: 0, undo: async () => {}, isAlone });
}

function fails(code: string): () => Promise<never> {
  return async () => {
    throw systemError(code, '/f');
  };
}

async function outcome(broken: Partial<FileHandle>, undo: () => Promise<void> = async () => {}): Promise<unknown> {
  try {
    await writer.write({ ...handle, ...broken }, { bytes: new Uint8Array(1), position: 0, undo });
    return 'done';
  } catch (error) {
    return (error as HoldfastError).details;
  }
}

describe('write()', () => {
  test('stands still for a lone sync, and leaves those beside others to threads', async () => {
    await write(true);
    await write(false);
    expect(calls).toEqual(['write block', 'sync block', 'write block', 'sync yield']);
  });

  test('leaves long writes to threads', async () => {
    await write(true, 100_000);
    expect(calls).toEqual(['write yield', 'sync block']);
  });

  test('leaves the syncs of a slow disk to threads, and tries again later', async () => {
    syncMs = 20;
    for (let count = 0; count < 18; count += 1) await write(true);
    const syncs = calls.filter((call) => call.startsWith('sync'));
    expect(syncs.map((call) => call === 'sync block').filter(Boolean).length).toBe(2);
    expect(syncs.at(0)).toBe('sync block');
    expect(syncs.at(-1)).toBe('sync block');
  });

  test('is without effect when a write failed and was undone, and in doubt otherwise', async () => {
    const none = { effect: 'none', poisoned: false };
    const doubt = { effect: 'unknown', poisoned: true };
    expect(await outcome({ write: fails('ENOSPC') })).toEqual(none);
    expect(await outcome({ write: fails('ENOSPC') }, fails('ENOSPC'))).toEqual(doubt);
    expect(await outcome({ write: fails('EIO') })).toEqual(doubt);
    expect(await outcome({ sync: fails('ENOSPC') })).toEqual(doubt);
    expect(await outcome({ sync: fails('EIO') }, fails('EIO'))).toEqual(doubt);
  });
});
