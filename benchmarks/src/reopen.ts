import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeAt } from '../../packages/core/src/engine/store-at.ts';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { openStore } from '../../packages/core/src/store/store.ts';
import { commitStep, createRun, trivialStep } from './graph-runs.ts';
import type { Reopened } from './reopen-child.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';

const runs = 1_000;
const recordsPerRun = 1_000;
const perCommit = 250;
const megabyte = 1_048_576;

/** What opening a store of a million records costs, and reading one run of it, in a process of its own. */
export async function reopen(): Promise<Report> {
  return inScratch(async (folder) => {
    const urls = { sqlite: `sqlite:${join(folder, 'bench.db')}`, file: `file:${join(folder, 'bench')}` };
    for (const url of Object.values(urls)) await fill(url);
    const sqlite = await reopened(urls.sqlite);
    // A process that is killed leaves no index, and what it wrote last has to be made durable.
    const file = await reopened(urls.file, { isKilled: true });
    const killed = await reopened(urls.file);
    return {
      settings: { runs, recordsPerRun, node: process.version },
      figures: [
        { name: 'sqlite: open and read one run', value: sqlite.ms, unit: 'ms', atMost: 100 },
        { name: 'sqlite: memory above idle', value: sqlite.bytes / megabyte, unit: 'MB', atMost: 64 },
        { name: 'file: open and read one run', value: file.ms, unit: 'ms', atMost: 1_000 },
        { name: 'file: memory above idle', value: file.bytes / megabyte, unit: 'MB', atMost: 64 },
        { name: 'file: open and read one run after a kill', value: killed.ms, unit: 'ms', atMost: 1_000 },
        { name: 'file: memory above idle after a kill', value: killed.bytes / megabyte, unit: 'MB', atMost: 64 },
      ],
    };
  });
}

async function fill(url: string): Promise<void> {
  const store = await openStore(await storeAt(url), nodeEnv);
  const entries = Array.from(
    { length: perCommit },
    (_, at) => ({ kind: 'superstep', at, payload: trivialStep }) as const,
  );
  const names = Array.from({ length: runs }, (_, index) => `run-${index}`);
  for (const name of names) await createRun(store, name);
  for (let expect = 1; expect < recordsPerRun; expect += perCommit) {
    const outcomes = await Promise.all(
      names.map((runId) => store.commit({ runId, writer: { by: 'owner', fence: 1 }, expect, entries })),
    );
    if (outcomes.some(({ ok }) => !ok)) throw new Error('a commit was refused');
  }
  // The last commit of a run is read when a process was killed; an engine's is a step.
  await Promise.all(names.map((name) => commitStep(store, name, recordsPerRun + 1)));
  await store.close();
}

async function reopened(url: string, { isKilled = false } = {}): Promise<Reopened> {
  const orders = [url, 'run-500', ...(isKilled ? ['stay'] : [])];
  const child = fork(fileURLToPath(new URL('reopen-child.js', import.meta.url)), orders, {
    execArgv: ['--expose-gc'],
  });
  let told: Reopened | undefined;
  child.once('message', (message) => {
    told = message as Reopened;
    if (isKilled) child.kill('SIGKILL');
  });
  // Not before it has closed the store, or is dead: the folder goes next.
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== (isKilled ? null : 0) || told === undefined) throw new Error(`the reading process ended with ${code}`);
  return told;
}
