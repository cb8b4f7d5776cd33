import type { RunningServer } from '@holdfast/server';
import type { Context } from '../program/context.ts';
import { loadGraphs } from '../project/load-graphs.ts';
import type { EngineWithCode } from '../project/open-engine.ts';
import { openLoaded, openToRead } from '../project/open-engine.ts';
import { listen } from './listen.ts';

/** The studio beside a worker of another process. */
export interface Beside {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the studio of a store that a worker of ours executes. The graphs are as they were when it was opened; the worker
 * reloads them. Undefined if they cannot be loaded: the worker says why.
 */
export async function serveBeside(context: Context, files: readonly string[]): Promise<Beside | undefined> {
  const { store } = context.project;
  // The worker has the lock of a file store.
  const isReadOnly = store.startsWith('file:');
  let opened: EngineWithCode;
  try {
    const loaded = await loadGraphs(files);
    const engine = isReadOnly ? await openToRead(context) : await openLoaded(store, loaded, { executes: false });
    opened = { engine, graphs: loaded.graphs };
  } catch {
    return undefined;
  }
  const { engine, graphs } = opened;
  const server: RunningServer = await listen(engine, graphs, { store, port: '0', readOnly: isReadOnly });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
