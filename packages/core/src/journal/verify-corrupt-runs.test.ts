import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HoldfastError } from '../errors/holdfast-error.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { CheckedStore as Checked } from '../store/checked-store.ts';
import { folderName } from '../store/file/folder/names.ts';
import { openFileDriver } from '../store/file/open.ts';
import { create, notes } from '../testing/contract/given.ts';
import { SimulatedDisk } from '../testing/disk/simulated-disk.ts';
import { envOf, journalOf, root } from '../testing/file/small-store.ts';
import { virtualMachine } from '../testing/file/virtual-machine.ts';
import { inDirectory, openAt, stillEnv, tamper } from '../testing/sqlite/sqlite-places.ts';
import { verifyStore } from './verify.ts';

/** Runs with two records each; the corrupt one is in the middle, and a fork stands on it. */
const runs = Array.from({ length: 300 }, (_, at) => `run-${String(at).padStart(3, '0')}`);
const corruptRun = 'run-005';
const fork = 'run-299';

async function fill(store: CheckedStore): Promise<void> {
  await Promise.all(runs.slice(0, -1).map((runId) => create(store, runId, { entries: notes(2) })));
  await create(store, fork, { forkedAt: { runId: corruptRun, seq: 1 }, entries: notes(2) });
}

async function onFiles(readOnly: boolean, body: (store: CheckedStore) => Promise<void>): Promise<void> {
  const disk = new SimulatedDisk();
  const env = envOf(disk);
  const machine = virtualMachine();
  await fill(new Checked(await openFileDriver({ dir: root, env, machine }), env));
  machine.die();
  const path = journalOf(disk.contents(), corruptRun);
  const bytes = Buffer.from(disk.contents().get(path) as Uint8Array);
  disk.put(path, bytes.fill('x', 10, 20));
  await body(new Checked(await openFileDriver({ dir: root, env, machine, readOnly }), env));
}

async function onSqlite(body: (store: CheckedStore) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const { env } = stillEnv();
    const { store } = await openAt(path, env);
    await fill(store);
    await store.close();
    await tamper(path, (database) =>
      database.exec(`UPDATE heads SET step = 9 WHERE run = (SELECT key FROM runs WHERE run = '${corruptRun}')`),
    );
    const opened = await openAt(path, env);
    await body(opened.store);
    await opened.store.close();
  });
}

const places: readonly [name: string, use: (body: (store: CheckedStore) => Promise<void>) => Promise<void>][] = [
  ['files', (body) => onFiles(false, body)],
  ['files, read-only', (body) => onFiles(true, body)],
  ['SQLite', onSqlite],
];

describe.each(places)('a corrupt header among others on %s', (_, use) => {
  test('is found by verifyStore(), which continues with the others', async () => {
    await use(async (store) => {
      const { ok, records, corruption } = await verifyStore(store);
      expect({ ok, records }).toEqual({ ok: false, records: 2 * (runs.length - 1) });
      expect(corruption).toHaveLength(1);
      const { where, what } = corruption[0] as { where: string; what: string };
      expect(`${where} ${what}`).toMatch(new RegExp(`${corruptRun}|${folderName(corruptRun)}`));
    });
  });

  test('fails only queries without onCorrupt', async () => {
    await use(async (store) => {
      await expect(store.runs({ order: 'oldest', limit: 1_000 })).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
      const told: HoldfastError[] = [];
      const onCorrupt = (error: HoldfastError): void => void told.push(error);
      expect(await store.runs({ runIds: [corruptRun], order: 'oldest', limit: 1 }, { onCorrupt })).toEqual([]);
      expect(told).toMatchObject([{ code: 'HOLDFAST_CORRUPT' }]);
      const page = await store.runs({ order: 'oldest', limit: 10 }, { onCorrupt });
      expect(page.map(({ runId }) => runId)).toEqual(runs.slice(0, 11).filter((runId) => runId !== corruptRun));
      await expect(store.header(corruptRun)).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    });
  });
});
