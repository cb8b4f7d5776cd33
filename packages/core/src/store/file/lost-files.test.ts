import { beforeEach, describe, expect, test } from 'vitest';
import { commit, create, journalWriteOf, note, ownerOf, seqsOf, snapshotOf } from '../../testing/contract/given.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { type Contents, envOf, root } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

const folder = `${root}/runs/${folderName('a')}`;

let disk: SimulatedDisk;

beforeEach(() => {
  disk = new SimulatedDisk();
});

async function open({ readOnly = false, segmentBytes = 600 } = {}): Promise<CheckedStore> {
  const env = envOf(disk);
  const driver = await openFileDriver({ dir: root, env, machine: virtualMachine(), readOnly, segmentBytes });
  return new CheckedStore(driver, env);
}

async function journals(): Promise<readonly string[]> {
  return (await disk.list(folder)).filter((name) => name.startsWith('journal-')).toSorted();
}

function filesOfRun(): Contents {
  return new Map([...disk.contents()].filter(([path]) => path.startsWith(folder)));
}

/** Ten commits of one record each, with a snapshot each, in several segments. */
async function fill(options: { readonly segmentBytes?: number } = {}): Promise<CheckedStore> {
  const store = await open(options);
  await create(store, 'a', { kind: 'journal', snapshot: snapshotOf(1) });
  for (let head = 1; head < 10; head += 1) {
    const entries = [note(`note ${head}`, `id${head}`)];
    await commit(store, journalWriteOf('a', { expect: head, entries, snapshot: snapshotOf(head + 1) }));
  }
  return store;
}

describe('a first segment that is gone', () => {
  test.each(['killed', 'closed'])('is refused with its place, and nothing is read past it: %s', async (end) => {
    const store = await fill();
    if (end === 'closed') await store.close();
    const [first] = await journals();
    await disk.remove(`${folder}/${first}`);
    const isCorrupt = {
      code: 'HOLDFAST_CORRUPT',
      details: { file: `runs/${folderName('a')}/${first}`, runId: 'a', seq: 1 },
    };
    for (const readOnly of [false, true]) {
      const reopened = await open({ readOnly });
      await expect(seqsOf(reopened, 'a')).rejects.toMatchObject(isCorrupt);
      await expect(reopened.records({ runId: 'a', after: 1, order: 'oldest', limit: 1 })).rejects.toMatchObject(
        isCorrupt,
      );
      await expect(reopened.ids({ runId: 'a', id: 'id1', limit: 1 })).rejects.toMatchObject(isCorrupt);
    }
  });

  test('is not missed where its records were pruned', async () => {
    const store = await fill();
    await store.trim({ runId: 'a', floor: 6 });
    expect(await journals()).not.toContain('journal-000000001.jsonl');
    expect(await seqsOf(await open(), 'a')).toEqual([7, 8, 9, 10]);
  });
});

describe('a journal whose commits are gone', () => {
  test.each(['empty', 'gone', 'zeros'])('keeps its snapshots, and is refused: %s', async (what) => {
    await fill({ segmentBytes: 1_000_000 });
    const path = `${folder}/journal-000000001.jsonl`;
    const { length } = await disk.readAll(path);
    if (what === 'gone') await disk.remove(path);
    else disk.put(path, Buffer.alloc(what === 'zeros' ? length : 0));
    const before = filesOfRun();
    const reopened = await open();
    await expect(reopened.header('a')).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: `runs/${folderName('a')}` },
    });
    await expect(reopened.runs({ order: 'oldest', limit: 9 })).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    await reopened.close();
    expect(filesOfRun()).toEqual(before);
  });

  test('is refused where only the last segments are, and snapshots tell of them', async () => {
    await fill();
    for (const name of (await journals()).slice(2)) await disk.remove(`${folder}/${name}`);
    const before = filesOfRun();
    await expect(seqsOf(await open(), 'a')).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { runId: 'a' },
    });
    expect(filesOfRun()).toEqual(before);
  });

  test('is a creation that never finished where nothing tells of more than its first one', async () => {
    const store = await open();
    await create(store, 'a', { snapshot: snapshotOf(1) });
    await disk.remove(`${folder}/journal-000000001.jsonl`);
    expect(await (await open()).runs({ order: 'oldest', limit: 9 })).toEqual([]);
    expect(await disk.list(`${root}/runs`)).toEqual([]);
  });
});

describe('a snapshot that is gone', () => {
  test.each([3, 4, 5, 6])('is given as a corrupt one after a prune, too: floor %i', async (floor) => {
    const store = await open({ segmentBytes: 900 });
    await create(store, 'a', { worker: 'w', snapshot: snapshotOf(1) });
    for (let head = 1; head < 12; head += 1) {
      await commit(store, ownerOf('a', { expect: head, fence: 1, snapshot: snapshotOf(head + 1) }));
    }
    await store.trim({ runId: 'a', floor });
    const all = disk.contents();
    for (const path of [...all.keys()].filter((each) => each.includes('/snapshot-'))) {
      disk = SimulatedDisk.of([...all].filter(([each]) => each !== path));
      const found = await (await open()).snapshots({ runId: 'a', limit: 100, bodies: true });
      expect(
        found.filter(({ ok }) => !ok).map(({ covers }) => `${folder}/snapshot-${covers}-${covers}-${covers}.json`),
      ).toEqual([path]);
    }
  });
});
