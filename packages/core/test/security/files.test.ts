// Issue item: files. What is not a plain file of ours in the place of a file of a store is refused, with its path.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { all, temporaryFolder } from '../engine/every-place.ts';
import { counting, graphs } from '../faults/moves/population.ts';

/** What somebody puts in the place of a file. */
type Trick = (path: string) => void;

const isRoot = process.geteuid?.() === 0;
const somebodyElse = 4_711;

/** Replaces what is there by something else. */
function replaced(put: Trick): Trick {
  return (path) => {
    rmSync(path, { recursive: true, force: true });
    put(path);
  };
}

const foreign: Trick = (path) => chownSync(path, somebodyElse, somebodyElse);
const writable: Trick = (path) => chmodSync(path, statSync(path).mode | 0o002);

const tricks: Readonly<Record<string, Trick>> = {
  'a pipe': replaced((path) => execFileSync('mkfifo', [path])),
  'a directory': replaced((path) => mkdirSync(path)),
  'a file of 1 TB': (path) => truncateSync(path, 1e12),
  'a file that everyone may write to': writable,
  ...(isRoot && { 'a file of somebody else': foreign, 'a device': replaced(makeDevice) }),
};

/** A device from which bytes come without end. */
function makeDevice(path: string): void {
  execFileSync('mknod', [path, 'c', '1', '5']);
}

/** Containers may not make devices, even as root. */
function can(trick: Trick): boolean {
  if (trick !== tricks['a device']) return true;
  const path = join(temporaryFolder(), 'device');
  try {
    makeDevice(path);
    return true;
  } catch {
    return false;
  }
}

/** A store in files with two runs, closed; `trimmed` has a snapshot. */
async function storeInFiles(): Promise<string> {
  const dir = join(temporaryFolder(), 'store');
  await using engine = await openEngine(fileStore(dir), { graphs });
  await (await engine.start(counting, { to: 12 }, { id: 'trimmed' })).result();
  await (await engine.start(counting, { to: 2 }, { id: 'sound' })).result();
  await engine.prune({ runId: 'trimmed', keep: 3 });
  return dir;
}

function only(folder: string, pattern: RegExp): string {
  const name = readdirSync(folder).find((each) => pattern.test(each));
  if (name === undefined) throw new Error(`${folder} has nothing like ${pattern}`);
  return join(folder, name);
}

/** The folder of the run that has a snapshot. */
function runFolder(dir: string): string {
  const folders = readdirSync(join(dir, 'runs')).map((name) => join(dir, 'runs', name));
  return folders.find((folder) => readdirSync(folder).some((name) => name.startsWith('snapshot'))) as string;
}

const filesAtTheTop: Readonly<Record<string, (dir: string) => string>> = {
  'the format': (dir) => join(dir, 'holdfast.json'),
  'the leases': (dir) => join(dir, 'leases.json'),
  'the index': (dir) => join(dir, 'index.jsonl'),
  'the lock': (dir) => only(only(dir, /^lock-/), /^(?:released|holder)/),
};

const foldersAtTheTop: Readonly<Record<string, (dir: string) => string>> = {
  'the store': (dir) => dir,
  'the folder of all runs': (dir) => join(dir, 'runs'),
  'the lock': (dir) => only(dir, /^lock-/),
};

/** Every pair of a trick and a place. */
function pairs<P>(places: Readonly<Record<string, P>>, names = Object.keys(tricks)): [string, string, Trick, P][] {
  return names.flatMap((what) =>
    Object.entries(places).map(([where, place]): [string, string, Trick, P] => [
      what,
      where,
      tricks[what] as Trick,
      place,
    ]),
  );
}

const ofFolders = ['a file that everyone may write to', ...(isRoot ? ['a file of somebody else'] : [])];

describe('a store in files', () => {
  test.each(pairs(filesAtTheTop))('refuses %s in the place of %s', async (_, __, trick, placeIn) => {
    const dir = await storeInFiles();
    if (!can(trick)) return;
    const path = placeIn(dir);
    trick(path);
    await expect(openEngine(fileStore(dir), { graphs })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      message: expect.stringContaining(path),
    });
  });

  test.each(pairs(foldersAtTheTop, ofFolders))(
    'refuses %s, as a folder, in the place of %s',
    async (_, __, trick, at) => {
      const dir = await storeInFiles();
      trick(at(dir));
      await expect(openEngine(fileStore(dir), { graphs })).rejects.toMatchObject({
        code: 'HOLDFAST_STORE_UNSAFE',
        message: expect.stringContaining(at(dir)),
      });
    },
  );

  const ofARun = {
    'a journal': (dir: string) => only(runFolder(dir), /^journal/),
    'a snapshot': (dir: string) => only(runFolder(dir), /^snapshot/),
  };

  test.each([...pairs(ofARun), ...pairs({ 'the folder of a run': runFolder }, ofFolders)])(
    'tells of %s in the place of %s, and reads the other runs',
    async (_, __, trick, placeIn) => {
      const dir = await storeInFiles();
      if (!can(trick)) return;
      const path = placeIn(dir);
      trick(path);
      for (const readOnly of [true, false]) {
        const engine = await openEngine(fileStore(dir, { readOnly }), { graphs });
        onTestFinished(() => engine.close());
        const { ok, corruption } = await engine.verify();
        expect(ok).toBe(false);
        expect(corruption.map(({ where, what }) => `${where} ${what}`)).toEqual([expect.stringContaining(path)]);
        expect((await all((await engine.get(counting, 'sound')).history())).length).toBeGreaterThan(0);
        await engine.close();
      }
    },
  );
});

describe('a store in SQLite', () => {
  const suffixes = { 'the database': '', 'its log': '-wal', 'its shared memory': '-shm', 'its journal': '-journal' };

  test.each(pairs(suffixes))('refuses %s in the place of %s', async (what, _, trick, suffix) => {
    // A copy: what is left of a closed connection may take the log of the original away at any time.
    const [original, file] = [join(temporaryFolder(), 'runs.db'), join(temporaryFolder(), 'runs.db')];
    await (await openEngine(sqliteStore(original))).close();
    copyFileSync(original, file);
    if (!can(trick) || (what === 'a file of 1 TB' && suffix !== '-wal')) return;
    execFileSync('touch', [file + suffix]);
    trick(file + suffix);
    await expect(openEngine(sqliteStore(file), { graphs })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      message: expect.stringContaining(file + suffix),
    });
  });

  test.runIf(isRoot)('refuses a directory of somebody else', async () => {
    const folder = join(temporaryFolder(), 'theirs');
    mkdirSync(folder);
    foreign(folder);
    await expect(openEngine(sqliteStore(join(folder, 'runs.db')))).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      message: expect.stringContaining(folder),
    });
  });
});

test('a directory in the place of a snapshot that no longer counts keeps nobody from opening the store', async () => {
  const dir = await storeInFiles();
  const rev = Number(/(\d+)\.json$/.exec(only(runFolder(dir), /^snapshot/))?.[1]);
  rmSync(join(dir, 'index.jsonl'));
  mkdirSync(join(runFolder(dir), `snapshot-1-1-${rev + 1}.json`, 'below'), { recursive: true });
  // The first opening puts it aside, the second comes upon what it put there.
  for (let openings = 0; openings < 2; openings += 1) {
    await using engine = await openEngine(fileStore(dir), { graphs });
    expect(await engine.verify()).toMatchObject({ ok: true });
    rmSync(join(dir, 'index.jsonl'), { force: true });
  }
});
