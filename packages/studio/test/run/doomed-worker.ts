// A worker in a process of its own, which is killed in the middle of a run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** Starts the run whose call of `fraud` never ends, and says when the other calls have. */
const program = `
import { openEngine } from 'holdfast';
import { refunds } from './refunds.ts';
const [, , store, id] = process.argv;
const graph = refunds({ callMs: 1, stuck: () => console.log('stuck') });
const engine = await openEngine(store, { graphs: [graph], workerId: 'doomed' });
engine.start(graph, { order: id, cents: 8_990 }, { id });
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

/** Starts a worker on a store; resolves when it is in the middle of its run. */
export async function doomedWorker(store: string, id: string): Promise<ChildProcess> {
  const script = await bundled();
  const child = spawn(process.execPath, [script, store, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(script);
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

/** Kills a worker: no code of it runs any more. */
export async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}
