import { beforeEach, describe, expect, test } from 'vitest';
import { commit, create, journalWriteOf, note, notes, snapshotOf } from '../../../testing/contract/given.ts';
import { SimulatedDisk } from '../../../testing/disk/simulated-disk.ts';
import { envOf, root } from '../../../testing/file/small-store.ts';
import { virtualMachine } from '../../../testing/file/virtual-machine.ts';
import { defaultBounds } from '../../../value/bounds.ts';
import { CheckedStore } from '../../checked-store.ts';
import { folderName } from '../folder/names.ts';
import { openFileDriver } from '../open.ts';

const count = 300;
const journal = `${root}/runs/${folderName('run')}/journal-000000001.jsonl`;
let disk: SimulatedDisk;
let store: CheckedStore;

/** A segment of many kilobytes, with commits of one and of several records, short and long. */
beforeEach(async () => {
  disk = new SimulatedDisk();
  const env = envOf(disk);
  const bounds = { ...defaultBounds, batchRecords: 200_000 };
  store = new CheckedStore(await openFileDriver({ dir: root, env, machine: virtualMachine() }), env, { bounds });
  await create(store, 'run', { kind: 'journal' });
  for (let head = 1; head < count; ) {
    const size = Math.min(1 + (head % 4), count - head);
    const entries = Array.from({ length: size }, (_, at) => note('x'.repeat(((head + at) * 37) % 900)));
    await commit(store, journalWriteOf('run', { expect: head, entries }));
    head += size;
  }
});

async function change(edit: (text: string) => string): Promise<void> {
  const handle = await disk.open(journal, 'write');
  const text = Buffer.from(await disk.readAll(journal)).toString();
  await handle.write(Buffer.from(edit(text)), 0);
  await handle.close();
}

function read(after: number): Promise<unknown> {
  return store.records({ runId: 'run', after, order: 'oldest', limit: 5 });
}

describe('records of a large segment', () => {
  test('are found from any place on, in both directions', async () => {
    for (let seq = 1; seq <= count; seq += 1) {
      const [oldest, next] = await store.records({ runId: 'run', after: seq - 1, order: 'oldest', limit: 2 });
      expect([oldest?.seq, next?.seq]).toEqual([seq, seq === count ? undefined : seq + 1]);
      const [newest] = await store.records({ runId: 'run', before: seq + 1, order: 'newest', limit: 1 });
      expect(newest?.payload).toEqual(oldest?.payload);
    }
  });

  test('are refused with their place where one is corrupt', async () => {
    await change((text) => text.replace('{"seq":200,', '{"seq":2OO,'));
    await expect(read(197)).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { runId: 'run', seq: 200 } });
    // What is whole can be read, on both sides of it.
    expect(await read(100)).toHaveLength(5);
    expect(await read(270)).toHaveLength(5);
  });

  test('are refused where one is missing, or another is in its place', async () => {
    await change((text) => text.replace('{"seq":200,', '{"seq":201,'));
    await expect(read(199)).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { runId: 'run' } });
  });
});

describe('records of one commit', () => {
  test('are cut, however many there are', async () => {
    const many = 150_000;
    await create(store, 'many', { entries: notes(many), snapshot: snapshotOf(1) });
    expect(await store.trim({ runId: 'many', floor: 1 })).toMatchObject({ ok: true, records: 1 });
    expect(await store.records({ runId: 'many', order: 'newest', limit: 1 })).toMatchObject([{ seq: many }]);
  });
});
