import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkerMessage, WorkerProcess } from '../../dev/worker-process.ts';
import { parseCount } from '../../input/numbers.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { isInstalled } from '../../project/compile-files.ts';
import { type LoadedGraphs, loadGraphs } from '../../project/load-graphs.ts';
import { openLoaded } from '../../project/open-engine.ts';

/** A killed process blocks its runs for this long; short, because a person is waiting at the terminal. */
const lease = 1_500;

/** The process that `dev` starts. It exits when `dev` asks it to, or when `dev` exits. */
export const devWorker: CommandFn<{ readonly concurrency?: string }> = async ({ project }, _args, { concurrency }) => {
  const stopping = new AbortController();
  process.on('message', () => stopping.abort());
  process.on('disconnect', () => stopping.abort());
  process.on('SIGTERM', () => stopping.abort());
  process.on('SIGINT', () => undefined);
  const loaded = await load(project.graphs);
  if (loaded === undefined) return 1;
  const engine = await openLoaded(project.store, loaded, { lease });
  tell({ type: 'ready', graphs: loaded.graphs.map(({ name, version }) => `${name} v${version}`) });
  const settings = concurrency === undefined ? {} : { concurrency: parseCount(concurrency, '--concurrency') };
  await engine.work({ ...settings, drain: WorkerProcess.drainMs, signal: stopping.signal }).done;
  await engine.close();
  if (process.connected) process.disconnect();
  // The user's code may keep timers or sockets open.
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

/** Installed packages do not change, so they are not watched. */
function tellFile(file: string): void {
  if (!isInstalled(file)) tell({ type: 'file', file });
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}
