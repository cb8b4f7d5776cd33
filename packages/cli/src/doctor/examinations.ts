import { existsSync, statSync } from 'node:fs';
import { access, constants, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byteText } from '../output/bytes.ts';
import { counted } from '../output/counted.ts';
import { shownStore } from '../output/shown-store.ts';
import { fileOf, isPostgres, openToRead } from '../project/open-engine.ts';
import type { Examination } from './finding.ts';
import { postgresExaminations } from './postgres.ts';

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

/** Creates a database, writes to it and removes it: that proves more than loading the module. */
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
        what: `SQLite works: ${isBuiltIn ? 'built into Node' : '@photostructure/sqlite'}`,
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
      return { level: 'fair', what: `no store at ${shownStore(url)} yet`, advice: 'The first run creates it.' };
    }
    await using engine = await openToRead(context);
    const found = new Set<string>();
    for await (const { id } of engine.runs({ limit: 1_000 })) found.add(id);
    const count = found.size;
    const size = file === undefined ? '' : `, ${byteText(sizeOf(file))}`;
    return {
      level: 'good',
      what: `${shownStore(url)}: ${count === 1_000 ? 'at least 1000 runs' : counted(count, 'run')}${size}`,
    };
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
      what: `other users can access ${place} (${rights})`,
      advice: `Journals contain your runs' data. Restrict access: chmod go= ${place}`,
    };
  },
};

function nearest(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder));
}

/** If the clock is adjusted while a worker runs, sleeps and timeouts are early or late. */
const clock: Examination = {
  name: 'clock',
  examine: async () => {
    const wall = Date.now();
    const steady = performance.now();
    await sleep(200);
    const drift = Math.abs(Date.now() - wall - (performance.now() - steady));
    if (Date.now() < Date.UTC(2026, 0, 1)) {
      return {
        level: 'bad',
        what: `${new Date().toISOString()} is in the past`,
        advice: 'Set the clock of this machine.',
      };
    }
    const what = `${new Date().toISOString()}, ${drift.toFixed(0)} ms off the monotonic clock in 200 ms`;
    if (drift < 50) return { level: 'good', what };
    return { level: 'fair', what, advice: 'The clock is being adjusted. Sleeps and timeouts may be early or late.' };
  },
};

const syncs = 20;
/** No disk is this fast: it did not wait for the medium. */
const unlikelyMs = 0.02;

/** Every super-step waits for one sync, so the sync time limits the speed of a run. */
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
      const what = `${ms.toFixed(2)} ms per sync, so at most ${Math.floor(1_000 / ms)} super-steps per second per run`;
      if (ms < unlikelyMs)
        return {
          level: 'fair',
          what,
          advice: 'This is implausibly fast: the disk may not sync, and a power failure may lose commits.',
        };
      if (ms < 50) return { level: 'good', what };
      return { level: 'fair', what, advice: 'This is slow. Is it a network disk, or a busy one?' };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The checks for a store, in order. */
export function examinationsOf(url: string): readonly Examination[] {
  return isPostgres(url)
    ? [node, ...postgresExaminations(url), clock]
    : [node, driver, store, permissions, clock, disk];
}
