// A worker in a process of its own, which is killed in the middle of a run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** Starts the run, says so when the given call has begun, and never ends that call. */
const program = `
import { openEngine } from 'holdfast';
import { pastClock } from './past-clock.ts';
import { refunds } from '../scene/refunds.ts';
const { store, id, cents, callMs, agoMs, fatal, workerId } = JSON.parse(process.argv[2]);
const hangs = ({ name }) => {
  if (name === fatal) console.log('stuck');
  return name === fatal;
};
const graph = refunds({ callMs, hangs });
// Leases are told by the machine's clock, unless an engine has one of its own: workers of one store must have the same.
const clock = agoMs === 0 ? undefined : pastClock(agoMs);
const engine = await openEngine(store, { graphs: [graph], workerId, clock });
engine.start(graph, { order: id, cents }, { id, tags: { region: 'eu', tier: 'gold' } });
`;

/** Makes the program, from sources; it stands where the packages that are installed here are found. */
async function bundled(): Promise<string> {
  const outfile = join(root, `node_modules/.cache/holdfast-doomed-worker-${process.pid}.mjs`);
  await build({
    stdin: { contents: program, loader: 'ts', resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    alias: { holdfast: join(root, 'packages/core/src/index.ts') },
  });
  return outfile;
}

/** What the worker does before it is killed. */
export interface Doom {
  readonly store: string;
  readonly id: string;
  readonly cents?: number;
  readonly callMs?: number;
  /** How long ago it happens. */
  readonly agoMs?: number;
  /** The call in the middle of which it is killed. */
  readonly fatal?: string;
  readonly workerId?: string;
}

/** Starts a worker on a store; resolves when it is in the middle of its run. */
export async function doomedWorker(doom: Doom): Promise<ChildProcess> {
  const script = await bundled();
  const given = { cents: 8_990, callMs: 1, agoMs: 0, fatal: 'address history', workerId: 'doomed', ...doom };
  const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(script, { force: true });
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

/** Kills a worker: no code of it runs any more. */
export async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}
