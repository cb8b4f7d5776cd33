import type { Env } from '../../env/env.ts';
import type { LeaseFile } from './lease-file.ts';
import type { FileRunWriter } from './run/file-run-writer.ts';
import type { RunMutex } from './run/run-mutex.ts';
import type { RunRegistry } from './run/run-registry.ts';
import type { VoidEpochs } from './run/void-epochs.ts';
import type { HandleCache } from './segment/handle-cache.ts';

/** What an open store consists of. */
export interface StoreParts {
  readonly env: Env;
  readonly root: string;
  readonly table: RunRegistry;
  readonly mutex: RunMutex;
  readonly writer: FileRunWriter;
  readonly handles: HandleCache;
  readonly leases: LeaseFile;
  readonly voids: VoidEpochs;
}

/** How many files are written at the same time: more would only wait for each other and use up file handles. */
export const mostTogether = 128;
