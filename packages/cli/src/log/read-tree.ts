import type { Engine, JournalRecord, RunSummary } from 'holdfast';
import type { LogTree } from './draw-tree.ts';
import { type LogEntry, logEntries } from './log-entries.ts';

/** The runs that a walk has been to: in a store that was tampered with, forks may form a circle. */
type Seen = Set<string>;

/** The log of a run, including the history it was forked from, newest first. */
export async function readLog(engine: Engine, run: RunSummary, seen: Seen = new Set()): Promise<readonly LogEntry[]> {
  seen.add(run.id);
  const own = await ownEntries(engine, run);
  if (run.forkedAt === null) return own.toReversed();
  const { id, seq } = placeOf(run.forkedAt);
  const base = seen.has(id) ? undefined : await summaryOf(engine, id);
  const below = base === undefined ? [] : await readLog(engine, base, seen);
  return [...own.toReversed(), ...below.filter((entry) => entry.seq <= seq)];
}

/** The run at the root of all forks, with every fork. */
export async function readTree(engine: Engine, run: RunSummary): Promise<LogTree> {
  let root = run;
  for (const seen: Seen = new Set(); root.forkedAt !== null && !seen.has(root.id); ) {
    seen.add(root.id);
    const base = await summaryOf(engine, placeOf(root.forkedAt).id);
    // The base run was deleted. Its records remain for its forks, but it is no longer listed.
    if (base === undefined) break;
    root = base;
  }
  return treeOf(engine, root, { chosen: run.id, seen: new Set() });
}

interface Walk {
  readonly chosen: string;
  readonly seen: Seen;
}

async function treeOf(engine: Engine, run: RunSummary, walk: Walk): Promise<LogTree> {
  const { chosen, seen } = walk;
  seen.add(run.id);
  const records = await recordsOf(engine, run.id);
  const forks: LogTree[] = [];
  for await (const fork of engine.runs({ forkOf: run.id }))
    if (!seen.has(fork.id)) forks.push(await treeOf(engine, fork, walk));
  const head = run.id === chosen ? 'head' : `head of ${run.id}`;
  return {
    mark: markOf(run.forkedAt === null ? head : `fork ${labelOf(records) ?? run.id}`, run),
    baseSeq: run.forkedAt === null ? 0 : placeOf(run.forkedAt).seq,
    entries: logEntries(records, run).toReversed(),
    forks,
  };
}

/** The mark on the newest line of a run. */
export function markOf(name: string, { status }: Pick<RunSummary, 'status'>): string {
  return status === 'suspended' ? `${name} (suspended)` : name;
}

async function ownEntries(engine: Engine, run: RunSummary): Promise<readonly LogEntry[]> {
  return logEntries(await recordsOf(engine, run.id), run);
}

async function recordsOf(engine: Engine, runId: string): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const record of engine.journal.read(runId)) records.push(record);
  return records;
}

function labelOf(records: readonly JournalRecord[]): string | undefined {
  const fork = records.findLast(({ kind }) => kind === 'fork');
  return (fork?.payload as { readonly label?: string } | undefined)?.label;
}

async function summaryOf(engine: Engine, id: string): Promise<RunSummary | undefined> {
  for await (const run of engine.runs({ idPrefix: id })) if (run.id === id) return run;
  return undefined;
}

function placeOf(cursor: string): { readonly id: string; readonly seq: number } {
  const at = cursor.lastIndexOf('@');
  return { id: cursor.slice(0, at), seq: Number(cursor.slice(at + 1)) };
}
