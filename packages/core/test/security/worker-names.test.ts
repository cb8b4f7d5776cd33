// Issue item: fixed worker ids. A name is a label: who bears it too, or bore it before, has no other worker's runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Engine, openEngine, type Store, workflow } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { defineStore, type StoreDriver } from 'holdfast/store';
import { memoryStore } from 'holdfast/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { nodeEnv } from '../../src/env/node-env.ts';
import { openDriver } from '../../src/store/store.ts';
import { giveBack, storeIn, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { testServer } from '../../src/testing/postgres/server.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeShared, gate, temporaryFolder } from '../engine/every-place.ts';
import { bundleProgram } from '../program/bundle-program.ts';

const name = 'the-worker';
const longMs = 600_000;
/** Over soon, and long enough for the victim to say that it has the run. */
const shortMs = 1_000;

/** A process that begins a run under a fixed name, says so, and is never done with it. */
const victimCode = `
import { z } from 'zod';
import { openEngine } from './engine/open.ts';
import { workflow } from './graph/workflow.ts';
const [, , url, workerId, leaseMs] = process.argv;
const slow = workflow('slow', { input: z.object({}) }, (_, { step }) =>
  step('wait', () => { console.log('executes'); return new Promise((resolve) => setTimeout(resolve, 1e9)); }));
const engine = await openEngine(url, { workerId, lease: Number(leaseMs) });
await engine.start(slow, {}, { id: 'r' });
`;

let victim = '';
beforeAll(async () => {
  victim = await bundleProgram('fixed-name-victim', victimCode);
});

/** The same run in the next life of the worker: it ends at once. */
const slow = workflow('slow', { input: z.object({}) }, (_, { step }) => step('wait', () => 'done'));

/** Starts a worker on a store that is empty, and kills it while it executes the run `r`. */
type Kill = (leaseMs: number) => Promise<Store>;

/** Where the victim and its next life find the runs. */
interface Victim {
  readonly url: string;
  readonly store: Store;
}

/** Kills a real process. */
function processOn(create: (folder: string) => Promise<Victim>): Kill {
  return async (leaseMs) => {
    const { url, store } = await create(temporaryFolder());
    const child = spawn(process.execPath, [victim, url, name, String(leaseMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    return store;
  };
}

/** A memory store dies with its process, so its worker only loses every way to it, for good and without an error. */
const inMemory: Kill = async (leaseMs) => {
  const store = memoryStore();
  const alive = gate();
  let isDead = false;
  const orNever = <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => (isDead ? new Promise<R>(() => {}) : call(...args));
  };
  const mortal = defineStore(async () => {
    const driver: StoreDriver = await openDriver(store, nodeEnv);
    return withCalls(driver, {
      commit: orNever((batches) => driver.commit(batches)),
      claim: orNever((request) => driver.claim(request)),
      close: orNever(() => driver.close()),
    });
  });
  const endless = workflow('slow', { input: z.object({}) }, (_, { step }) =>
    step('wait', () => {
      alive.open();
      return new Promise<string>(() => {});
    }),
  );
  const engine = await openEngine(mortal, { workerId: name, lease: leaseMs });
  await engine.start(endless, {}, { id: 'r' });
  await alive.opened;
  isDead = true;
  return store;
};

interface Killed {
  readonly place: string;
  readonly kill: Kill;
}

const onFiles: Killed = {
  place: 'file',
  kill: processOn(async (folder) => ({ url: `file:${join(folder, 'runs')}`, store: fileStore(join(folder, 'runs')) })),
};
const onSqlite: Killed = {
  place: 'sqlite',
  kill: processOn(async (folder) => ({ url: `sqlite:${join(folder, 'db')}`, store: sqliteStore(join(folder, 'db')) })),
};
const onPostgres: Killed = { place: 'postgres', kill: processOn(schemaPlace) };
/** Only the operating system knows at once that a process is dead. */
const isLinux = process.platform === 'linux';
const seen = isLinux ? [onFiles, onSqlite] : [];
const unseen = [{ place: 'memory', kill: inMemory }, ...(isLinux ? [] : [onFiles, onSqlite])];

async function schemaPlace(): Promise<Victim> {
  const schema = await takeSchema();
  onTestFinished(() => giveBack(schema));
  return { url: `${await testServer()}?schema=${schema}`, store: storeIn(schema) };
}

async function restart(store: Store): Promise<Engine> {
  const engine = await openEngine(store, { workerId: name, graphs: [slow] });
  onTestFinished(() => engine.close());
  return engine;
}

describe.each(seen)('a worker on $place that was killed and restarts under its name at once', ({ kill }) => {
  test('continues the run: its former life is known to be dead', async () => {
    const engine = await restart(await kill(longMs));
    expect(await engine.recover()).toBe(1);
    expect(await (await engine.get(slow, 'r')).result()).toBe('done');
  });
});

describe.each(unseen)('a worker on $place that was killed and restarts under its name at once', ({ kill }) => {
  test('has no run of its former life', async () => {
    const engine = await restart(await kill(longMs));
    const run = await engine.get(slow, 'r');
    expect(await engine.recover()).toBe(0);
    await expect(run.resume()).rejects.toMatchObject({ code: 'HOLDFAST_RUN_LEASED' });
    expect(await run.summary()).toMatchObject({ status: 'running' });
  });
});

describe.each([...seen, ...unseen, onPostgres])('a worker on $place that was killed', ({ kill }) => {
  test('continues the run under its name when the lease is over', async () => {
    const engine = await restart(await kill(shortMs));
    // It looks again when the lease ends.
    await engine.recover();
    expect(await (await engine.get(slow, 'r')).result()).toBe('done');
  });
});

describeShared('two living workers of one name', (place) => {
  test('execute every run once between them, and neither ends the other’s', async () => {
    const may = gate();
    const executed: string[] = [];
    const counted = workflow('counted', { input: z.object({ id: z.string() }) }, ({ id }, { step }) =>
      step('once', async () => {
        executed.push(id);
        await may.opened;
        return id;
      }),
    );
    const here = place();
    const [one, other] = [
      await here.open({ workerId: name, graphs: [counted] }),
      await here.open({ workerId: name, graphs: [counted] }),
    ];
    const ids = Array.from({ length: 8 }, (_, at) => `r${at}`);
    const runs = await Promise.all(ids.map((id, at) => (at % 2 === 0 ? one : other).start(counted, { id }, { id })));
    await expect.poll(() => executed.length).toBe(ids.length);
    expect(await one.recover()).toBe(0);
    expect(await other.recover()).toBe(0);
    // It releases what it executes, and nothing of its namesake.
    const closing = other.close();
    may.open();
    await closing;
    await one.recover();
    const results = ids.map(async (id) => (await one.get(counted, id)).result());
    expect(await Promise.all(results)).toEqual(ids);
    expect(executed.filter((id) => Number(id.slice(1)) % 2 === 0).toSorted()).toEqual(['r0', 'r2', 'r4', 'r6']);
    expect(runs).toHaveLength(ids.length);
  });
});

test('two living workers of one name on files: the second is refused, and the first continues', async () => {
  const dir = join(temporaryFolder(), 'runs');
  const first = await openEngine(fileStore(dir), { workerId: name, graphs: [slow] });
  onTestFinished(() => first.close());
  await expect(openEngine(fileStore(dir), { workerId: name })).rejects.toMatchObject({ code: 'HOLDFAST_STORE_LOCKED' });
  expect(await (await first.start(slow, {})).result()).toBe('done');
});
