import type { Env } from '../../env/env.ts';
import type { LeaseFile } from './lease-file.ts';
import type { RunMutex } from './run/run-mutex.ts';
import type { RunTable } from './run/run-table.ts';
import type { RunWriter } from './run/run-writer.ts';
import type { VoidEpochs } from './run/void-epochs.ts';
import type { HandleCache } from './segment/handle-cache.ts';

/** What an open store consists of. */
export interface StoreParts {
  readonly env: Env;
  readonly root: string;
  readonly table: RunTable;
  readonly mutex: RunMutex;
  readonly writer: RunWriter;
  readonly handles: HandleCache;
  readonly leases: LeaseFile;
  readonly voids: VoidEpochs;
}

/** How many files are written at the same time: more would only wait for each other and use up file handles. */
export const mostTogether = 128;
