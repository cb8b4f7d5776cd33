import type { Env } from '../../env/env.ts';
import type { HandleCache } from './segment/handle-cache.ts';
import type { RunTable } from './run/run-table.ts';
import type { RunWriter } from './run/run-writer.ts';
import type { WorkerLeases } from './lease-file.ts';

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
