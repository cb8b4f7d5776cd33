import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../../../test/program/bundle-program.ts';
import { create, headerOf } from '../../testing/contract/given.ts';
import { inDirectory, openAt } from '../../testing/sqlite/sqlite-places.ts';

/** Appends to a run of its own and to one that all write; says what was acknowledged. */
const writer = `
import { nodeEnv } from './env/node-env.ts';
import { openStore } from './store/store.ts';
import { sqliteStore } from './store/sqlite/open.ts';
const [, , path, name, count] = process.argv;
const store = await openStore(sqliteStore(path), nodeEnv);
async function append(runId, payload) {
  for (;;) {
    const { head } = await store.header(runId);
    const entries = [{ kind: 'note', at: Date.now(), payload }];
    const outcome = await store.commit({ runId, writer: { by: 'external' }, expect: head, entries });
    if (outcome.ok) return;
    if (outcome.why !== 'head') throw new Error(outcome.why);
  }
}
console.log('ready');
for (let n = 0; n < Number(count); n += 1) {
  await Promise.all([append(name, n), append('shared', name + ' ' + n)]);
  console.log(n);
}
await store.close();
`;

let script: string;
beforeAll(async () => {
  script = await bundleProgram('sqlite-writer', writer);
});

interface Writer {
  readonly child: ChildProcess;
  /** What it said was acknowledged. */
  readonly acknowledged: number[];
  readonly ready: Promise<void>;
  readonly ended: Promise<unknown>;
}

function start(directory: string, name: string, count: number): Writer {
  const args = [script, join(directory, 'store.db'), name, String(count)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: number[] = [];
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) =>
      line === 'ready' ? resolve() : acknowledged.push(Number(line)),
    );
  });
  return { child, acknowledged, ready, ended };
}

describe('many processes', () => {
  test('write one file at once, and none loses a commit', async () => {
    await inDirectory(async (directory) => {
      const { store } = await openAt(join(directory, 'store.db'));
      const names = ['one', 'two', 'three'];
      for (const runId of [...names, 'shared']) await create(store, runId);
      const writers = names.map((name) => start(directory, name, 60));
      await Promise.all(writers.map(({ ended }) => ended));
      expect(writers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0]);
      for (const runId of names) expect((await headerOf(store, runId)).head).toBe(61);
      const shared = await store.records({ runId: 'shared', after: 1, order: 'oldest', limit: 1_000 });
      const expected = names.flatMap((name) => Array.from({ length: 60 }, (_, n) => `${name} ${n}`));
      expect(shared).toHaveLength(expected.length);
      expect(new Set(shared.map(({ payload }) => payload))).toEqual(new Set(expected));
      await store.close();
    });
  }, 120_000);

  test('may be killed at any time, and what they acknowledged is there', async () => {
    await inDirectory(async (directory) => {
      const { store } = await openAt(join(directory, 'store.db'));
      for (const runId of ['victim', 'shared']) await create(store, runId);
      const victim = start(directory, 'victim', 100_000);
      await victim.ready;
      while (victim.acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
      victim.child.kill('SIGKILL');
      await victim.ended;
      const found = await store.records({ runId: 'victim', after: 1, order: 'oldest', limit: 1_000 });
      expect(found.length).toBeGreaterThanOrEqual(victim.acknowledged.length);
      expect(found.map(({ payload }) => payload)).toEqual(found.map((_, n) => n));
      await store.close();
    });
  }, 120_000);
});
