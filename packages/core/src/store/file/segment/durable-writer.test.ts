import { beforeEach, describe, expect, test } from 'vitest';
import type { CallsAtOnce, FileHandle } from '../../../env/files.ts';
import type { HoldfastError } from '../../../errors/holdfast-error.ts';
import { systemError } from '../../../testing/disk/disk-fault.ts';
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
  const call = (name: string): void => {
    calls.push(name);
    if (name.startsWith('sync')) now += syncMs;
  };
  handle = {
    write: async () => call('write'),
    sync: async () => call('sync'),
    read: async () => new Uint8Array(),
    size: async () => 0,
    truncate: async () => {},
    close: async () => {},
    atOnce: { write: () => call('write at once'), sync: () => call('sync at once') },
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

function throws(code: string): () => never {
  return () => {
    throw systemError(code, '/f');
  };
}

async function outcome(broken: Partial<FileHandle>, undo: () => Promise<void> = async () => {}): Promise<unknown> {
  const bytes = new Uint8Array(1);
  try {
    await writer.write({ ...handle, ...broken }, { bytes, position: 0, undo, isAlone: true });
    return 'done';
  } catch (error) {
    return (error as HoldfastError).details;
  }
}

describe('write()', () => {
  test('blocks for a lone sync', async () => {
    await write(true);
    expect(calls).toEqual(['write at once', 'sync at once']);
  });

  test('leaves the syncs of several runs to threads', async () => {
    await write(false);
    expect(calls).toEqual(['write at once', 'sync']);
  });

  test('leaves long writes to threads', async () => {
    await write(true, 100_000);
    expect(calls).toEqual(['write', 'sync at once']);
  });

  test('leaves everything to threads where no call can block', async () => {
    handle = { ...handle, atOnce: undefined };
    await write(true);
    expect(calls).toEqual(['write', 'sync']);
  });

  test('leaves the syncs of a slow disk to threads, and tries again later', async () => {
    syncMs = 20;
    for (let count = 0; count < 18; count += 1) await write(true);
    const syncs = calls.filter((call) => call.startsWith('sync'));
    expect(syncs).toEqual(['sync at once', ...Array.from({ length: 16 }, () => 'sync'), 'sync at once']);
  });

  test('is without effect when a write failed and was undone, and in doubt otherwise', async () => {
    const none = { effect: 'none', poisoned: false, transient: false };
    const doubt = { effect: 'unknown', poisoned: true, transient: false };
    const { atOnce } = handle;
    for (const [write, sync] of [
      [
        (code: string) => ({ atOnce: undefined, write: fails(code) }),
        (code: string) => ({ atOnce: undefined, sync: fails(code) }),
      ],
      [
        (code: string) => ({ atOnce: { ...(atOnce as CallsAtOnce), write: throws(code) } }),
        (code: string) => ({ atOnce: { ...(atOnce as CallsAtOnce), sync: throws(code) } }),
      ],
    ] as const) {
      expect(await outcome(write('ENOSPC'))).toEqual(none);
      expect(await outcome(write('ENOSPC'), fails('ENOSPC'))).toEqual(doubt);
      expect(await outcome(write('EIO'))).toEqual(doubt);
      expect(await outcome(sync('ENOSPC'))).toEqual(doubt);
      expect(await outcome(sync('EIO'), fails('EIO'))).toEqual(doubt);
    }
  });
});
