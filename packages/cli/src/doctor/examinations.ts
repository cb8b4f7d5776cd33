import { existsSync, statSync } from 'node:fs';
import { access, constants, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byteText } from '../output/bytes.ts';
import { fileOf, openToRead } from '../project/open-engine.ts';
import type { Examination } from './finding.ts';

const leastNode: readonly [number, number] = [20, 19];

const node: Examination = {
  name: 'node',
  examine: async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isNew = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
    const what = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
    if (isNew) return { level: 'good', what };
    return { level: 'bad', what, advice: `Holdfast needs Node ${leastNode.join('.')} or later.` };
  },
};

/** A database is made, written to and thrown away: more than that a module can be loaded. */
const driver: Examination = {
  name: 'driver',
  examine: async () => {
    const { openEngine } = await import('holdfast');
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-doctor-'));
    try {
      await using engine = await openEngine(`sqlite:${join(folder, 'try.db')}`, { executes: false });
      await engine.journal.append('try', { payload: 1 });
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const isBuiltIn = major > 22 || (major === 22 && minor >= 13);
      return {
        level: 'good',
        what: `SQLite works, ${isBuiltIn ? 'the one that is part of Node' : '@photostructure/sqlite'}`,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const store: Examination = {
  name: 'store',
  examine: async (context) => {
    const { store: url } = context.project;
    const file = fileOf(url);
    if (file !== undefined && !existsSync(file)) {
      return { level: 'fair', what: `there is none at ${url} yet`, advice: 'It is made by the first run.' };
    }
    await using engine = await openToRead(context);
    const found = new Set<string>();
    for await (const { id } of engine.runs({ limit: 1_000 })) found.add(id);
    const count = found.size;
    const size = file === undefined ? '' : `, ${byteText(sizeOf(file))}`;
    return { level: 'good', what: `${url}: ${count === 1_000 ? 'at least 1000' : count} runs${size}` };
  },
};

function sizeOf(file: string): number {
  return ['', '-wal'].reduce((sum, suffix) => sum + (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0), 0);
}

const permissions: Examination = {
  name: 'permissions',
  examine: async ({ project }) => {
    const file = fileOf(project.store);
    if (file === undefined) return { level: 'good', what: 'the store is not on this disk' };
    const place = existsSync(file) ? file : nearest(dirname(file));
    await access(place, constants.R_OK | constants.W_OK);
    const { mode } = statSync(place);
    const rights = (mode & 0o777).toString(8).padStart(3, '0');
    if (place !== file || process.platform === 'win32' || (mode & 0o077) === 0) {
      return { level: 'good', what: `${place} can be read and written (${rights})` };
    }
    return {
      level: 'fair',
      what: `${place} is open to others (${rights})`,
      advice: `Journals hold what your runs saw: chmod go= ${place}`,
    };
  },
};

function nearest(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder));
}

/** A clock that is set while a worker runs makes sleeps and timeouts early or late. */
const clock: Examination = {
  name: 'clock',
  examine: async () => {
    const wall = Date.now();
    const steady = performance.now();
    await sleep(200);
    const drift = Math.abs(Date.now() - wall - (performance.now() - steady));
    if (Date.now() < Date.UTC(2026, 0, 1)) {
      return { level: 'bad', what: `it is ${new Date().toISOString()}`, advice: 'Set the clock of this machine.' };
    }
    const what = `${new Date().toISOString()}, ${drift.toFixed(0)} ms away from the monotonic one in 200 ms`;
    if (drift < 50) return { level: 'good', what };
    return { level: 'fair', what, advice: 'The clock is being set; sleeps and timeouts may be early or late.' };
  },
};

const syncs = 20;
/** No disk turns that quickly: it did not wait for the medium. */
const unlikelyMs = 0.02;

/** Every step waits for one sync: how long it takes is how fast a run can be. */
const disk: Examination = {
  name: 'disk sync',
  examine: async ({ project }) => {
    const file = fileOf(project.store);
    const folder = await mkdtemp(join(file === undefined ? tmpdir() : nearest(dirname(file)), '.holdfast-doctor-'));
    try {
      const handle = await open(join(folder, 'try'), 'w', 0o600);
      const startedAt = performance.now();
      for (let count = 0; count < syncs; count += 1) {
        await handle.write(Buffer.alloc(4_096), 0, 4_096, count * 4_096);
        await handle.datasync();
      }
      const ms = (performance.now() - startedAt) / syncs;
      await handle.close();
      const what = `${ms.toFixed(2)} ms a sync, so at most ${Math.floor(1_000 / ms)} steps a second of one run`;
      if (ms < unlikelyMs)
        return { level: 'fair', what, advice: 'That is too fast to be true: a power cut may lose commits.' };
      if (ms < 50) return { level: 'good', what };
      return { level: 'fair', what, advice: 'That is slow. A network disk, or a busy one?' };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What the doctor looks at, in this order. */
export const examinations: readonly Examination[] = [node, driver, store, permissions, clock, disk];
