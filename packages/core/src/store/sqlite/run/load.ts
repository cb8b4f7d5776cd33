import { journalParts } from '../../compose-load.ts';
import type { StoredRecord, StoredSnapshot } from '../../contract/commit.ts';
import type { Held, LoadQuery, StoredRun } from '../../contract/read.ts';
import { readRecords } from '../read-records.ts';
import { headerOf, type KnownRun } from './run-row.ts';
import type { Tables } from './tables.ts';

/** A run of the lineage, and the seqs that it holds of the loaded run's journal: past `after`, up to `upTo`. */
interface Part {
  readonly known: KnownRun;
  readonly after: number;
  readonly upTo: number;
}

/** `composeLoad` without promises, so that it sees one state of the database. @throws HOLDFAST_CORRUPT */
export function loadRun(tables: Tables, known: KnownRun, query: Omit<LoadQuery, 'runId'>): StoredRun {
  const runs = [known, ...lineageOf(tables, known)];
  const [header, ...lineage] = runs.map(headerOf) as [StoredRun['header'], ...StoredRun['lineage']];
  if (query.limit === 0) return { header, lineage, snapshot: undefined, records: [] };
  const parts = journalParts([header, ...lineage], query.upTo).map(
    (part): Part => ({ ...part, known: runs.find(({ row }) => row.run === part.runId) as KnownRun }),
  );
  const snapshot = newestSnapshot(tables, parts, query.before);
  const records = recordsAfter(tables, parts, { after: snapshot?.value.covers ?? 0, limit: query.limit });
  return { header, lineage, snapshot, records };
}

/** A run that was trimmed needs nothing of what it was forked from. One that is missing ends the list: the reader says so. */
function lineageOf({ runs }: Tables, known: KnownRun): readonly KnownRun[] {
  const lineage: KnownRun[] = [];
  const seen = new Set([known.row.run]);
  for (let { row } = known; row.baseRun !== null && row.floor === 0 && !seen.has(row.baseRun); ) {
    seen.add(row.baseRun);
    const above = runs.find(row.baseRun);
    if (above === undefined) break;
    lineage.push(above);
    ({ row } = above);
  }
  return lineage;
}

function newestSnapshot(
  { snapshots }: Tables,
  parts: readonly Part[],
  before: LoadQuery['before'],
): Held<StoredSnapshot> | undefined {
  for (const { known, upTo } of parts) {
    for (let last = before; ; ) {
      const [found] = snapshots.read(known, { covers: upTo, before: last, limit: 1, bodies: true });
      if (found === undefined) break;
      if (found.seq <= upTo) return { runId: known.row.run, value: found };
      last = found;
    }
  }
  return undefined;
}

function recordsAfter(
  tables: Tables,
  parts: readonly Part[],
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly Held<StoredRecord>[] {
  const records: Held<StoredRecord>[] = [];
  for (const { known, after: from, upTo } of parts.toReversed()) {
    const left = limit - records.length;
    if (upTo <= after || left <= 0) continue;
    const query = { after: Math.max(from, after), before: upTo + 1, order: 'oldest', limit: left } as const;
    for (const value of readRecords(tables, known, query)) records.push({ runId: known.row.run, value });
  }
  return records;
}
