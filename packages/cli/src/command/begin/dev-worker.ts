import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkerMessage, WorkerProcess } from '../../dev/worker-process.ts';
import { parseCount } from '../../input/numbers.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { isInstalled } from '../../project/compile-files.ts';
import { type LoadedGraphs, loadGraphs } from '../../project/load-graphs.ts';
import { openLoaded } from '../../project/open-engine.ts';

/** Dead processes keep their runs for so long; a person at a terminal should not wait. */
const leaseMs = 1_500;

/** What `dev` starts. It ends when dev tells it to, or is gone. */
export const devWorker: CommandFn<{ readonly concurrency?: string }> = async ({ project }, _args, { concurrency }) => {
  const stopping = new AbortController();
  process.on('message', () => stopping.abort());
  process.on('disconnect', () => stopping.abort());
  process.on('SIGTERM', () => stopping.abort());
  process.on('SIGINT', () => undefined);
  const loaded = await load(project.graphs);
  if (loaded === undefined) return 1;
  const engine = await openLoaded(project.store, loaded, { leaseMs });
  tell({ type: 'ready', graphs: loaded.graphs.map(({ name, version }) => `${name} v${version}`) });
  const settings = concurrency === undefined ? {} : { concurrency: parseCount(concurrency, '--concurrency') };
  await engine.work({ ...settings, drainMs: WorkerProcess.drainMs, signal: stopping.signal });
  await engine.close();
  if (process.connected) process.disconnect();
  // The user's code may hold timers or sockets of its own.
  await sleep(0);
  process.exit(0);
};

async function load(files: readonly string[]): Promise<LoadedGraphs | undefined> {
  try {
    return await loadGraphs(files, tellFile);
  } catch (error) {
    tell({ type: 'error', message: error instanceof Error ? error.message : String(error) });
    await sleep(50);
    if (process.connected) process.disconnect();
    return undefined;
  }
}

/** What is installed does not change under our hands. */
function tellFile(file: string): void {
  if (!isInstalled(file)) tell({ type: 'file', file });
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}
