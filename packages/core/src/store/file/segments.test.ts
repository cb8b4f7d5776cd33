import { beforeEach, describe, expect, test } from 'vitest';
import type { Files } from '../../env/files.ts';
import {
  commit,
  create,
  externalWriteOf,
  journalWriteOf,
  note,
  notes,
  ownerOf,
  seqsOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles } from '../../testing/file/changed-files.ts';
import { envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

let disk: SimulatedDisk;
let store: CheckedStore;
let reads: string[];

beforeEach(async () => {
  disk = new SimulatedDisk();
  reads = [];
  const readAll = (path: string): Promise<Uint8Array> => {
    reads.push(path.split('/').at(-1) as string);
    return disk.readAll(path);
  };
  store = await open(changedFiles(disk, { readAll }));
});

async function open(files: Files = disk): Promise<CheckedStore> {
  const env = { ...envOf(disk), files };
  return new CheckedStore(await openFileDriver({ dir: root, env, machine: virtualMachine(), segmentBytes: 700 }), env);
}

async function segments(runId = 'run'): Promise<readonly string[]> {
  const names = await disk.list(`${root}/runs/${folderName(runId)}`);
  return names.filter((name) => name.startsWith('journal-')).toSorted();
}

async function firsts(): Promise<readonly number[]> {
  return (await segments()).map((name) => Number(/\d+/.exec(name)?.[0]));
}

/** 20 records in four commits, in as many segments. */
async function fill(): Promise<void> {
  await create(store, 'run', { worker: 'w', entries: notes(5), snapshot: snapshotOf(5) });
  for (const expect of [5, 10, 15]) {
    await commit(store, ownerOf('run', { expect, fence: 1, entries: notes(5), snapshot: snapshotOf(expect + 5) }));
  }
}

describe('segments', () => {
  test('are begun when the last one is large enough, and named by their first seq', async () => {
    await fill();
    expect(await segments()).toEqual([1, 6, 11, 16].map((first) => `journal-${String(first).padStart(9, '0')}.jsonl`));
    expect((await seqsOf(store, 'run')).length).toBe(20);
  });

  test('are read only when they have what is asked for', async () => {
    await fill();
    reads = [];
    const page = await store.records({ runId: 'run', after: 7, order: 'oldest', limit: 2 });
    expect(page.map(({ seq }) => seq)).toEqual([8, 9]);
    expect(reads).toEqual(['journal-000000006.jsonl']);
    reads = [];
    expect((await store.records({ runId: 'run', order: 'newest', limit: 6 })).length).toBe(6);
    expect(reads).toEqual(['journal-000000011.jsonl', 'journal-000000016.jsonl']);
  });

  test('below the floor are dropped, and at most one is written anew', async () => {
    await fill();
    await store.trim({ runId: 'run', floor: 10 });
    expect(await firsts()).toEqual([11, 16, 21]);
    await store.trim({ runId: 'run', floor: 12, snapshot: { head: 1, body: 1 } });
    expect(await firsts()).toEqual([13, 16, 21]);
    expect(await seqsOf(store, 'run')).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
    await store.trim({ runId: 'run', floor: 18, snapshot: { head: 1, body: 1 } });
    expect(await firsts()).toEqual([19, 21]);
    await store.trim({ runId: 'run', floor: 20 });
    expect(await firsts()).toEqual([21]);
    expect(await seqsOf(store, 'run')).toEqual([]);
    await commit(store, externalWriteOf('run', { expect: 20, entries: [note('on', 'chosen')] }));
    expect(await seqsOf(store, 'run')).toEqual([21]);
    expect(await seqsOf(await reopened(), 'run')).toEqual([21]);
  });

  test('past what a hidden run keeps are dropped', async () => {
    await fill();
    await create(store, 'fork', { forkedAt: { runId: 'run', seq: 7 } });
    await store.trim({ runId: 'run', hide: { keepTo: 7 } });
    expect(await segments()).toEqual(['journal-000000001.jsonl', 'journal-000000006.jsonl', 'journal-000000021.jsonl']);
    expect(await seqsOf(store, 'run')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await store.trim({ runId: 'run', floor: 6, snapshot: { head: 1, body: 1 } });
    expect(await segments()).toEqual(['journal-000000007.jsonl', 'journal-000000021.jsonl']);
    expect(await seqsOf(await reopened(), 'run')).toEqual([7]);
  });

  test('that are gone are corruption, unless they were the last', async () => {
    await fill();
    await disk.remove(`${root}/runs/${folderName('run')}/journal-000000006.jsonl`);
    await expect(seqsOf(store, 'run')).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { runId: 'run', seq: 6 },
    });
    expect((await store.records({ runId: 'run', after: 12, order: 'oldest', limit: 9 })).length).toBe(8);
  });

  test.each([
    ['empty', ''],
    ['never finished', '{"seq":21,'],
  ])('that were begun and are %s are taken away', async (_, text) => {
    await fill();
    disk.put(`${root}/runs/${folderName('run')}/journal-000000021.jsonl`, Buffer.from(text));
    const again = await reopened();
    expect((await segments()).length).toBe(4);
    await commit(again, externalWriteOf('run', { expect: 20, entries: notes(2) }));
    expect((await seqsOf(again, 'run')).length).toBe(22);
  });

  test('before an unfinished one have to be whole', async () => {
    await fill();
    const folder = `${root}/runs/${folderName('run')}`;
    disk.put(`${folder}/journal-000000021.jsonl`, Buffer.from(''));
    disk.put(
      `${folder}/journal-000000016.jsonl`,
      (await disk.readAll(`${folder}/journal-000000016.jsonl`)).subarray(0, -9),
    );
    const again = await reopened();
    await expect(again.header('run')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });

  test('with a line too few, too many or of another kind are corruption', async () => {
    await fill();
    const path = `${root}/runs/${folderName('run')}/journal-000000006.jsonl`;
    const whole = Buffer.from(await disk.readAll(path));
    const lines = whole.toString().split(/(?<=\n)/);
    for (const text of ['', lines.slice(0, 2).join(''), `${lines[0]}what\n`, whole.toString().slice(0, -1), lines[1]]) {
      disk.put(path, Buffer.from(text as string));
      await expect(seqsOf(store, 'run'), text).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    }
    disk.put(path, whole);
    expect((await seqsOf(store, 'run')).length).toBe(20);
  });
});

async function reopened(): Promise<CheckedStore> {
  return open();
}

describe('snapshots', () => {
  test('that are gone are found by what the journal says, also after trims', async () => {
    await create(store, 'loop', { kind: 'journal', snapshot: snapshotOf(1) });
    for (const expect of [1, 2, 3]) await commit(store, journalWriteOf('loop', { expect, snapshot: snapshotOf(1) }));
    await store.trim({ runId: 'loop', drop: [{ covers: 1, seq: 2 }] });
    const folder = `${root}/runs/${folderName('loop')}`;
    await disk.remove(`${folder}/snapshot-1-3-3.json`);
    const again = await reopened();
    const found = await again.snapshots({ runId: 'loop', limit: 9, bodies: false });
    expect(found.map(({ seq, ok }) => `${seq} ${ok}`)).toEqual(['4 true', '3 false', '1 true']);
    await again.trim({ runId: 'loop', drop: [{ covers: 1, seq: 3 }] });
    expect((await again.snapshots({ runId: 'loop', limit: 9, bodies: false })).map(({ seq }) => seq)).toEqual([4, 1]);
  });

  test('that are gone are found in a segment that was written anew', async () => {
    await fill();
    await store.trim({ runId: 'run', floor: 18, snapshot: { head: 1, body: 1 } });
    await disk.remove(`${root}/runs/${folderName('run')}/snapshot-20-20-4.json`);
    const found = await (await reopened()).snapshots({ runId: 'run', limit: 9, bodies: false });
    expect(found.map(({ seq, ok }) => `${seq} ${ok}`)).toEqual(['20 false', '18 true']);
  });

  test('with long heads are listed without their bodies', async () => {
    const head = 'h'.repeat(10_000);
    await create(store, 'run', { snapshot: { covers: 1, head, body: { a: 1 } } });
    expect(await store.snapshots({ runId: 'run', limit: 1, bodies: false })).toMatchObject([{ head, body: undefined }]);
  });
});

function pathOf(first: number): string {
  return `${root}/runs/${folderName('run')}/journal-${String(first).padStart(9, '0')}.jsonl`;
}

async function text(path: string): Promise<string> {
  return Buffer.from(await disk.readAll(path)).toString();
}

describe('corruption below a new floor', () => {
  test('does not keep a prune from dropping it, and the ids that can be read are kept', async () => {
    await create(store, 'run', { worker: 'w', entries: [note('a', 'first'), note('b', 'second'), ...notes(3)] });
    const more = (expect: number, id: string): Promise<void> =>
      commit(
        store,
        ownerOf('run', { expect, fence: 1, entries: [note('c', id), ...notes(4)], snapshot: snapshotOf(expect + 5) }),
      );
    await more(5, 'third');
    await more(10, 'fourth');
    await more(15, 'fifth');
    disk.put(pathOf(1), Buffer.from((await text(pathOf(1))).replace('"key":', '"kex":')));
    await disk.remove(pathOf(6));
    // A line that is no record any more, below the floor, in the segment that is rewritten.
    disk.put(pathOf(11), Buffer.from((await text(pathOf(11))).replace('{"seq":12', '{"sex":12')));
    expect(await store.trim({ runId: 'run', floor: 15 })).toMatchObject({ ok: true });
    expect(await seqsOf(store, 'run')).toEqual([16, 17, 18, 19, 20]);
    const ids = (await store.ids({ runId: 'run', limit: 9 })).map(({ seq }) => seq).toSorted((a, b) => a - b);
    expect(ids).toEqual([2, 11, 16]);
  });

  test('in the kept part of a run is never given a valid checksum', async () => {
    await fill();
    disk.put(pathOf(11), Buffer.from((await text(pathOf(11))).replace('{"seq":14', '{"sex":14')));
    await expect(store.trim({ runId: 'run', floor: 12, snapshot: { ...snapshotOf(12) } })).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
    });
  });
});
