import type { Commit } from '../../../store/check/check-commit.ts';
import { sealBatch } from '../../../store/commit/encode.ts';
import type { Batch } from '../../../store/contract/commit.ts';

interface SealBatchOptions {
  readonly token: string;
  readonly at?: number | undefined;
}

/** A batch as the checked store would hand it to the driver, where a test talks to the driver itself. */
export function batchOf(commit: Commit, { token, at = 2_000 }: SealBatchOptions): Batch {
  return sealBatch(commit, { token, at, keyring: undefined });
}
