import type { Env } from '../../env/env.ts';
import type { HandleCache } from './handle-cache.ts';
import type { RunTable } from './run-table.ts';
import type { RunWriter } from './run-writer.ts';
import type { WorkerLeases } from './worker-leases.ts';

/** What an open store consists of. */
export interface StoreParts {
  readonly env: Env;
  readonly root: string;
  readonly table: RunTable;
  readonly writer: RunWriter;
  readonly handles: HandleCache;
  readonly leases: WorkerLeases;
}

/** How many files are written at once: more would only wait for each other, and use up the file handles of the process. */
export const mostAtOnce = 128;
