import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create, seqsOf, snapshotOf } from '../../testing/contract/given.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { CheckedStore } from '../checked-store.ts';
import type { FileDriver } from './driver.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

let folder: string;
let dir: string;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-stray-'));
  dir = join(folder, 'store');
  warnings = [];
});

afterEach(() => rm(folder, { recursive: true }));

interface Opened {
  readonly driver: FileDriver;
  readonly store: CheckedStore;
}

async function open(readOnly = false): Promise<Opened> {
  const env = { ...nodeEnv, warn: (text: string) => warnings.push(text) };
  const driver = (await openFileDriver({ dir, env, machine: virtualMachine(), readOnly })) as FileDriver;
  return { driver, store: new CheckedStore(driver, env) };
}

async function openAndClose(): Promise<void> {
  await (await open()).store.close();
}

function runFolder(runId: string): string {
  return join(dir, 'runs', folderName(runId));
}

/** Puts a link where something is, which goes to another place. */
async function replaceByLink(path: string): Promise<void> {
  const elsewhere = join(folder, 'elsewhere');
  await rename(path, elsewhere);
  await symlink(elsewhere, path);
}

/** A folder with a file in it that is not ours. */
async function precious(): Promise<string> {
  const path = join(folder, 'precious');
  await mkdir(path);
  await writeFile(join(path, 'thesis.txt'), 'mine');
  return path;
}

async function putStray(path: string): Promise<void> {
  await (path.endsWith('/') ? mkdir(path) : writeFile(path, 'mine'));
}

describe('what is not ours', () => {
  test.each(['.DS_Store', 'notes~', 'my notes.tmp', 'ü', 'folder/'])(
    'stays in the folder of a run that is removed, with a warning: %s',
    async (stray) => {
      const { store } = await open();
      await create(store, 'a');
      await create(store, 'b');
      await putStray(join(runFolder('a'), stray));
      expect(await store.trim({ runId: 'a', remove: true })).toMatchObject({ ok: true });
      await store.close();
      for (let round = 0; round < 2; round += 1) await openAndClose();
      const [trash] = (await readdir(join(dir, 'runs'))).filter((name) => name.includes('removed'));
      expect(await readdir(join(dir, 'runs', `${trash}`))).toEqual([stray.replace('/', '')]);
      expect(warnings).toEqual([expect.stringContaining(`${trash}`), expect.stringContaining(`${trash}`)]);
      expect(await seqsOf((await open()).store, 'b')).toEqual([1]);
    },
  );

  test.each(['.DS_Store', '.draft.tmp', 'my notes.tmp', 'notes.tmp', 'folder/'])(
    'stays in the folder of a run after a kill: %s',
    async (stray) => {
      const { driver, store } = await open();
      await create(store, 'a');
      await putStray(join(runFolder('a'), stray));
      await driver.abandon();
      const { store: reopened } = await open();
      expect(await seqsOf(reopened, 'a')).toEqual([1]);
      await reopened.close();
      expect((await readdir(runFolder('a'))).toSorted()).toEqual(
        [stray.replace('/', ''), 'journal-000000001.jsonl'].toSorted(),
      );
      expect(warnings).toEqual([]);
    },
  );

  test('stays in a folder without a run, in which one can be created', async () => {
    const { driver } = await open();
    await driver.abandon();
    await mkdir(runFolder('a'));
    await writeFile(join(runFolder('a'), '.DS_Store'), 'mine');
    const { store } = await open();
    expect(warnings.length).toBe(1);
    await create(store, 'a');
    expect(await seqsOf(store, 'a')).toEqual([1]);
    await store.close();
    expect(await readdir(runFolder('a'))).toContain('.DS_Store');
  });
});

describe('a link', () => {
  test('in the place of a folder that waits to be deleted is not followed', async () => {
    await openAndClose();
    const elsewhere = await precious();
    await symlink(elsewhere, join(dir, 'runs', `${folderName('a')}.removed-ab`));
    await openAndClose();
    expect(await readdir(elsewhere)).toEqual(['thesis.txt']);
    expect(warnings.length).toBe(1);
  });

  test('in the place of an old lock is not followed', async () => {
    await openAndClose();
    await openAndClose();
    const elsewhere = await precious();
    await writeFile(join(elsewhere, 'holder.json'), 'mine');
    await symlink(elsewhere, join(dir, 'lock-000001'));
    await openAndClose();
    expect((await readdir(elsewhere)).toSorted()).toEqual(['holder.json', 'thesis.txt']);
  });

  test('in the place of the folder of all runs is refused by a reader, too', async () => {
    await openAndClose();
    await replaceByLink(join(dir, 'runs'));
    await expect(open(true)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
  });

  test('in the place of a journal makes its run be refused, and no other', async () => {
    const { driver, store } = await open();
    await create(store, 'a', { wakeAt: 1 });
    await create(store, 'b', { wakeAt: 1 });
    await driver.abandon();
    const path = join(runFolder('a'), 'journal-000000001.jsonl');
    await replaceByLink(path);
    const isUnsafe = { code: 'HOLDFAST_STORE_UNSAFE', message: expect.stringContaining(path), details: { path } };
    for (const readOnly of [false, true]) {
      const { store: reopened } = await open(readOnly);
      await expect(seqsOf(reopened, 'a')).rejects.toMatchObject(isUnsafe);
      expect(await seqsOf(reopened, 'b')).toEqual([1]);
      await reopened.close();
    }
  });

  test('in the place of a journal is left out by the claim that finds it', async () => {
    const { store } = await open();
    await create(store, 'a', { wakeAt: 1 });
    await create(store, 'b', { wakeAt: 1 });
    await store.close();
    await replaceByLink(join(runFolder('a'), 'journal-000000001.jsonl'));
    const { store: reopened } = await open();
    const due = { type: 'due', worker: 'w', leaseMs: 60_000, graphs: [{ name: 'graph' }], limit: 9 } as const;
    const { claimed, corrupt } = await reopened.claim({ ...due, takeover: true });
    expect(claimed.map(({ header }) => header.runId)).toEqual(['b']);
    expect(corrupt).toMatchObject([{ code: 'HOLDFAST_STORE_UNSAFE' }]);
    expect((await reopened.claim({ ...due, takeover: true })).claimed).toEqual([]);
    await reopened.close();
  });

  test('in the place of a snapshot makes that a corrupt one', async () => {
    const { store } = await open();
    await create(store, 'a', { snapshot: snapshotOf(1) });
    await store.close();
    await replaceByLink(join(runFolder('a'), 'snapshot-1-1-1.json'));
    const { store: reopened } = await open();
    for (const bodies of [true, false]) {
      expect(await reopened.snapshots({ runId: 'a', limit: 9, bodies })).toMatchObject([{ ok: false, covers: 1 }]);
    }
    await reopened.close();
  });

  test.each(['holdfast.json', 'leases.json'])('in the place of %s is named', async (name) => {
    const { store } = await open();
    await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
    await store.close();
    await replaceByLink(join(dir, name));
    await expect(open()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE', details: { path: join(dir, name) } });
  });
});

test('a draft and the torn segment of its name are cleared away together', async () => {
  const { store } = await open();
  await create(store, 'kept');
  await store.close();
  await rm(join(dir, 'index.jsonl'));
  const torn = join(runFolder('torn'), 'journal-000000001.jsonl');
  await mkdir(runFolder('torn'), { mode: 0o700 });
  await writeFile(torn, '{"seq":1,"v":1', { mode: 0o600 });
  await writeFile(`${torn}.tmp`, '', { mode: 0o600 });
  await openAndClose();
  expect(await readdir(join(dir, 'runs'))).toEqual([folderName('kept')]);
});
