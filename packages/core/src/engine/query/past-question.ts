import { readEntries } from '../../journal/read-entries.ts';
import type { Entry } from '../../record/record.ts';
import { foldRecord } from '../../runner/fold/fold-record.ts';
import { payloadOf } from '../../runner/fold/payload.ts';
import type { AskedQuestion } from '../../runner/fold/run-state.ts';
import { type LoadedRun, loadRun } from '../../runner/load-run.ts';
import type { EngineParts } from '../parts.ts';

/**
 * A question that is no longer open, with its answer if it had one. Undefined if the journal has no such question. Reads
 * back to where it was asked: a run remembers only the last question of each name.
 */
export async function pastQuestion(
  { store }: Pick<EngineParts, 'store'>,
  { header, segments }: Pick<LoadedRun, 'header' | 'segments'>,
  id: string,
): Promise<AskedQuestion | undefined> {
  const askedAt = await seqAsked(readEntries({ store, segments, order: 'newest' }), id);
  if (askedAt === undefined) return undefined;
  const { state } = await loadRun(store, header, { upTo: askedAt });
  if (state.waits.has(id)) {
    for await (const entry of readEntries({ store, segments, order: 'oldest', after: askedAt })) {
      foldRecord(state, entry);
      if (!state.waits.has(id)) break;
    }
  }
  // Not by its name: a migration may have renamed it while it was open.
  return [...state.asked.values()].find(({ wait }) => wait === id) ?? { wait: id };
}

async function seqAsked(newestFirst: AsyncIterable<Entry>, id: string): Promise<number | undefined> {
  for await (const entry of newestFirst) {
    if (entry.kind !== 'wait') continue;
    const payload = payloadOf(entry, 'wait');
    if (payload.kind === 'ask' && payload.id === id) return entry.seq;
  }
  return undefined;
}
