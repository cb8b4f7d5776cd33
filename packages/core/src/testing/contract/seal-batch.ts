import type { Commit } from '../../store/check/check-commit.ts';
import { sealRecord, sealSnapshot } from '../../store/commit/encode.ts';
import type { Batch } from '../../store/contract/commit.ts';

interface SealBatchOptions {
  readonly token: string;
  readonly at?: number | undefined;
}

/** A batch as the checked store would hand it to the driver, where a test talks to the driver itself. */
export function batchOf(
  { runId, writer, expect, entries, header = {}, snapshot }: Commit,
  options: SealBatchOptions,
): Batch {
  return {
    runId,
    token: options.token,
    expect,
    fence: writer.by === 'owner' ? writer.fence : null,
    create: 'of' in writer ? writer.of : null,
    records: entries.map((entry, at) => sealRecord({ runId, seq: expect + at + 1 }, entry)),
    header,
    snapshot:
      snapshot === undefined ? null : sealSnapshot({ runId, seq: snapshot.seq ?? expect + entries.length }, snapshot),
    release: writer.by === 'owner' && writer.release === true,
    at: options.at ?? 2_000,
    ...(writer.by === 'copier' && { copy: { floor: writer.floor, end: writer.end } }),
  };
}
