import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openEngine, type Store, type Takeover, workflow } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { giveBack, sql, storeIn, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { testServer } from '../../src/testing/postgres/server.ts';
import { bundleProgram } from '../program/bundle-program.ts';
import { type Place, placeOn, temporaryFolder } from './every-place.ts';

/** Far longer than any test: a run that is taken over before its end was taken over because a death was noticed. */
const lease = '1h';

/** Executes one run whose step never ends, and says so. */
const program = `
import { openEngine, workflow } from './index.ts';
import { fileStore } from './store/file/open.ts';
import { sqliteStore } from './store/sqlite/open.ts';
import { z } from 'zod';
const [, , kind, path, workerId, id] = process.argv;
const flow = workflow('flow', { input: z.object({}) }, (_, { step }) =>
  step('a', async () => {
    console.log('begun');
    await new Promise((resolve) => setInterval(resolve, 3_600_000));
  }),
);
const store = kind === 'file' ? fileStore(path) : kind === 'sqlite' ? sqliteStore(path) : path;
const engine = await openEngine(store, { graphs: [flow], workerId, lease: '${lease}' });
engine.start(flow, {}, { id });
`;

const flow = workflow('flow', { input: z.object({}) }, (_, { step }) => step('a', () => 'done'));

let script: string;
beforeAll(async () => {
  script = await bundleProgram('takeover-victim', program);
});

interface VictimOptions {
  readonly kind: 'file' | 'sqlite' | 'postgres';
  readonly path: string;
  readonly workerId: string;
  readonly id: string;
  /** What starts it, such as a program that puts it into a container. */
  readonly within?: readonly string[] | undefined;
}

/** A process that executes the run; resolves when it is in the middle of it. */
async function startVictim({ kind, path, workerId, id, within = [] }: VictimOptions): Promise<ChildProcess> {
  const [command, ...args] = [...within, process.execPath, script, kind, path, workerId, id];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

async function kill(victim: ChildProcess): Promise<void> {
  victim.kill('SIGKILL');
  await once(victim, 'exit');
}

interface Here extends Place {
  readonly path: string;
}

function placeOf(kind: 'file' | 'sqlite'): Here {
  const path = join(temporaryFolder(), 'runs');
  const store: Store = kind === 'file' ? fileStore(path) : sqliteStore(path);
  return { ...placeOn(store), path };
}

/** A store in a schema of its own; the path is its URL. */
async function postgresPlace(): Promise<Here & { readonly hasLock: (workerId: string) => Promise<boolean> }> {
  const schema = await takeSchema();
  onTestFinished(() => giveBack(schema));
  const path = `${await testServer()}?schema=${schema}` as `postgres://${string}`;
  const hasLock = async (workerId: string): Promise<boolean> => {
    const [row] = await sql(`SELECT count(*)::int FROM "${schema}".leases WHERE worker LIKE $1 AND lock IS NOT NULL`, [
      `${workerId}%`,
    ]);
    return row?.[0] === 1;
  };
  return { ...placeOn(storeIn(schema)), path, hasLock };
}

const isLinux = process.platform === 'linux';
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

describe.runIf(isLinux)('a worker whose process has died, on SQLite', () => {
  test('loses its run at once to a worker that is idle, which is told', async () => {
    const { open, path } = placeOf('sqlite');
    const engine = await open({ graphs: [flow] });
    const takeovers: Takeover[] = [];
    engine.work({ onTakeover: (takeover) => takeovers.push(takeover) });
    await kill(await startVictim({ kind: 'sqlite', path, workerId: 'victim', id: 'run' }));
    expect(await engine.get(flow, 'run').result()).toBe('done');
    expect(takeovers).toEqual([{ runId: 'run', workerId: 'victim', noticed: 'death' }]);
  });

  test('and the lease and the journal of its run tell of it', async () => {
    const { open, path } = placeOf('sqlite');
    const engine = await open({ graphs: [flow], workerId: 'second' });
    const victim = await startVictim({ kind: 'sqlite', path, workerId: 'victim', id: 'run' });
    const run = await engine.get(flow, 'run');
    expect(await run.lease()).toEqual({ worker: 'victim', fence: 1, until: expect.any(Date), takeovers: 0 });
    await kill(victim);
    await expect.poll(() => run.lease()).toEqual({ worker: 'victim', fence: 1, until: undefined, takeovers: 0 });
    await engine.recover();
    await run.result();
    expect(await run.lease()).toBeNull();
    const records = await engine.journal.tail('run', 9);
    const mark = { worker: 'second', from: 'victim', noticed: 'death', fence: 2, at: expect.any(Number) };
    expect(records.map(({ meta }) => meta['takeover'])).toEqual([undefined, mark, undefined, undefined]);
  });

  test('keeps its run while it stands still, and so does a living namesake of one that died', async () => {
    const { open, path } = placeOf('sqlite');
    const victims = ['stopped', 'alive', 'killed'].map((id) =>
      startVictim({ kind: 'sqlite', path, workerId: 'w', id }),
    );
    const [stopped, , killed] = await Promise.all(victims);
    stopped?.kill('SIGSTOP');
    await kill(killed as ChildProcess);
    const engine = await open({ graphs: [flow], workerId: 'w' });
    const takeovers: Takeover[] = [];
    engine.work({ onTakeover: (takeover) => takeovers.push(takeover) });
    // What is taken over at all is taken over with it.
    expect(await engine.get(flow, 'killed').result()).toBe('done');
    expect(takeovers).toEqual([{ runId: 'killed', workerId: 'w', noticed: 'death' }]);
    for (const id of ['stopped', 'alive']) expect(await engine.get(id).summary()).toMatchObject({ status: 'running' });
  });

  test.runIf(canUnshare)('keeps its run until the lease ends where its processes cannot be seen', async () => {
    const { open, path } = placeOf('sqlite');
    const within = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const hidden = await startVictim({ kind: 'sqlite', path, workerId: 'w', id: 'hidden', within });
    await kill(hidden);
    await kill(await startVictim({ kind: 'sqlite', path, workerId: 'w', id: 'seen' }));
    const engine = await open({ graphs: [flow] });
    const takeovers: Takeover[] = [];
    engine.work({ onTakeover: (takeover) => takeovers.push(takeover) });
    expect(await engine.get(flow, 'seen').result()).toBe('done');
    expect(takeovers.map(({ runId }) => runId)).toEqual(['seen']);
  });
});

describe('a worker whose process has died, on Postgres', () => {
  test('loses its run to a worker that is idle, which is told, and one that stands still keeps its own', async () => {
    const { open, path, hasLock } = await postgresPlace();
    const engine = await open({ graphs: [flow] });
    const takeovers: Takeover[] = [];
    engine.work({ onTakeover: (takeover) => takeovers.push(takeover) });
    const victims = ['stopped', 'killed'].map((id) => startVictim({ kind: 'postgres', path, workerId: id, id }));
    const [stopped, killed] = await Promise.all(victims);
    // A worker that dies before others can see its lock keeps its run until its lease ends.
    await expect.poll(() => hasLock('killed')).toBe(true);
    stopped?.kill('SIGSTOP');
    await kill(killed as ChildProcess);
    expect(await engine.get(flow, 'killed').result()).toBe('done');
    expect(takeovers).toEqual([{ runId: 'killed', workerId: 'killed', noticed: 'death' }]);
    expect(await engine.get('stopped').summary()).toMatchObject({ status: 'running' });
  });
});

describe.runIf(isLinux).each(['file', 'sqlite'] as const)(
  'a process that is killed and started again, on %s',
  (kind) => {
    test('continues its runs at once under the same name', async () => {
      const { store, path } = placeOf(kind);
      await kill(await startVictim({ kind, path, workerId: 'w', id: 'run' }));
      await using engine = await openEngine(store, { graphs: [flow], workerId: 'w', lease });
      expect(await engine.recover()).toBe(1);
      expect(await engine.get(flow, 'run').result()).toBe('done');
    });
  },
);

test('what a listener throws does not stop the worker', async () => {
  const { open, path } = placeOf('sqlite');
  const engine = await open({ graphs: [flow], lease: '50ms' });
  const warned = once(process, 'warning');
  engine.work({
    onTakeover: () => {
      throw new Error('no');
    },
  });
  await kill(await startVictim({ kind: 'sqlite', path, workerId: 'w', id: 'run' }));
  expect(await engine.get(flow, 'run').result()).toBe('done');
  expect(String(await warned)).toContain('onTakeover failed: Error: no');
});
