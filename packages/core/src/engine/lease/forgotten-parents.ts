import type { HoldfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { isMalformed } from '../../store/is-corruption.ts';
import { wakeParent } from '../command/parent/wake-parent.ts';
import type { EngineParts } from '../parts.ts';
import { hasEnded } from '../query/run-summary.ts';
import { isSuspended } from './suspended.ts';

/** A parent that waits for a child. */
interface Waiting {
  readonly parentId: string;
  readonly child: string;
}

/** How many children are checked together. */
const pageSize = 256;

/** Tells parents about children that ended when their process died, or was refused, before it could tell them. */
export async function wakeForgottenParents(parts: EngineParts): Promise<void> {
  let page: Waiting[] = [];
  for await (const header of allRuns(parts.store, { waits: 'child' }, { onCorrupt: 'warn' })) {
    // `resume` reports them.
    if (isSuspended(header)) continue;
    page.push(...childWaits(header));
    if (page.length < pageSize) continue;
    await wakeThose(parts, page);
    page = [];
  }
  await wakeThose(parts, page);
}

function childWaits({ runId: parentId, waits }: RunHeader): readonly Waiting[] {
  return waits.filter(({ kind }) => kind === 'child').map(({ id }) => ({ parentId, child: id }));
}

async function wakeThose(parts: EngineParts, waiting: readonly Waiting[]): Promise<void> {
  const unfinished = await unfinishedOf(parts, waiting);
  for (const { parentId, child } of waiting) {
    if (unfinished.has(child)) continue;
    await wakeParent(parts, { parentId, wait: child, child }).catch((error: unknown) => {
      // Another parent may still be told.
      if (!isMalformed(error)) throw error;
      parts.store.warnOnce(error);
    });
  }
}

async function unfinishedOf({ store }: EngineParts, waiting: readonly Waiting[]): Promise<ReadonlySet<string>> {
  const runIds = [...new Set(waiting.map(({ child }) => child))];
  const unfinished = new Set<string>();
  for (let at = 0; at < runIds.length; at += pageSize) {
    const some = runIds.slice(at, at + pageSize);
    const unreadable: HoldfastError[] = [];
    const query = { runIds: some, order: 'oldest', limit: some.length } as const;
    const headers = await store.runs(query, { onCorrupt: (error) => void unreadable.push(error) });
    for (const header of headers) if (!header.hidden && !hasEnded(header)) unfinished.add(header.runId);
    if (unreadable.length === 0) continue;
    // Whether a child that cannot be read has ended, nobody knows.
    const known = new Set(headers.map(({ runId }) => runId));
    for (const runId of some) if (!known.has(runId)) unfinished.add(runId);
    for (const error of unreadable) store.warnOnce(error);
  }
  return unfinished;
}
