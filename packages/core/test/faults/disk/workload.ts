import type { NewEntry } from '../../../src/record/record.ts';
import type { Commit, NewSnapshot } from '../../../src/store/check/check-commit.ts';
import type { Trim } from '../../../src/store/check/check-request.ts';
import type { ClaimRequest } from '../../../src/store/contract/lease.ts';
import type { MemoryRun } from '../../../src/store/memory/memory-run.ts';
import { creationOf, externalWriteOf, journalWriteOf, note, ownerOf } from '../../../src/testing/contract/given.ts';

/** One thing that a workload does with a store. Commits of one step go together. */
export type Step =
  | { readonly type: 'commits'; readonly commits: readonly Commit[] }
  | { readonly type: 'claim'; readonly request: ClaimRequest }
  | { readonly type: 'trim'; readonly trim: Trim }
  /** Closes the store and opens it again. */
  | { readonly type: 'reopen' }
  /** Forgets the open store, as if its process had been killed, and opens it again. */
  | { readonly type: 'kill' };

interface WorkloadView {
  readonly random: () => number;
  readonly runs: ReadonlyMap<string, MemoryRun>;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The one worker of a workload. */
const worker = 'worker';
const lease = { type: 'heartbeat', worker, leaseMs: 60_000 } as const;

/** The steps of a workload, each chosen when the one before it is done. */
export function nextStep(view: WorkloadView): Step {
  const { random } = view;
  const choice = random();
  if (choice < 0.62 || view.runs.size === 0) return { type: 'commits', commits: someCommits(view) };
  if (choice < 0.76) return { type: 'claim', request: someClaim(view) };
  if (choice < 0.9) return { type: 'trim', trim: someTrim(view) };
  return { type: choice < 0.95 ? 'reopen' : 'kill' };
}

function someCommits(view: WorkloadView): readonly Commit[] {
  const count = view.random() < 0.5 ? 1 : 2 + Math.floor(view.random() * 3);
  // A base must not change while its fork is made: the order of the two would be open.
  const taken = new Set<string>();
  const commits: Commit[] = [];
  for (let tries = 0; commits.length < count && tries < 10; tries += 1) {
    const commit = someCommit(view, pick(view.random, names));
    const base = commit.writer.by === 'creator' ? commit.writer.of.forkedAt?.runId : undefined;
    const touches = base === undefined ? [commit.runId] : [commit.runId, base];
    if (touches.some((runId) => taken.has(runId))) continue;
    for (const runId of touches) taken.add(runId);
    commits.push(commit);
  }
  return commits;
}

function someCommit(view: WorkloadView, runId: string): Commit {
  const { random } = view;
  const known = view.runs.get(runId);
  if (known === undefined) return random() < 0.4 ? someFork(view, runId) : someCreation(view, runId);
  const entries = someEntries(random, known.fixed.kind === 'journal' ? 'checkpoint' : 'superstep');
  // Now and then somebody who knows an old head: it must be refused, and leave nothing.
  const expect = random() < 0.06 ? Math.max(0, known.head - 1) : known.head;
  const parts = {
    expect,
    entries,
    ...maybe(random, 0.35, () => ({ snapshot: someSnapshot(random, expect + entries.length) })),
  };
  if (known.fixed.kind === 'journal') return journalWriteOf(runId, parts);
  if (known.worker === worker && random() < 0.7) {
    const header = maybe(random, 0.5, () => ({
      status: 'running' as const,
      superstep: known.state.superstep + 1,
      tags: { at: `${known.head}` },
    }));
    return ownerOf(runId, { ...parts, header, fence: known.fence, release: random() < 0.15 });
  }
  return externalWriteOf(runId, {
    expect,
    entries: someEntries(random, 'note'),
    header: maybe(random, 0.5, () => ({ wakeAt: 1 })),
  });
}

function someCreation({ random }: WorkloadView, runId: string): Commit {
  const kind = random() < 0.35 ? 'journal' : 'graph';
  const entries = someEntries(random, kind === 'journal' ? 'note' : 'run-start');
  return creationOf(runId, {
    kind,
    entries,
    worker: kind === 'journal' || random() < 0.5 ? null : worker,
    wakeAt: kind === 'journal' ? null : 1,
    tags: { made: 'here' },
    ...maybe(random, 0.3, () => ({ snapshot: someSnapshot(random, entries.length) })),
  });
}

function someFork(view: WorkloadView, runId: string): Commit {
  const { random } = view;
  const bases = [...view.runs.values()].filter((base) => !base.hidden && base.runId !== runId);
  const base = bases.length === 0 ? undefined : pick(random, bases);
  const seq = base === undefined ? undefined : someBaseSeq(random, base);
  if (base === undefined || seq === undefined) return someCreation(view, runId);
  const { kind } = base.fixed;
  return creationOf(runId, {
    kind,
    forkedAt: { runId: base.runId, seq },
    entries: [{ ...note('fork'), kind: 'fork' }],
    wakeAt: null,
  });
}

/** A record of the run that a fork can stand on. */
function someBaseSeq(random: () => number, base: MemoryRun): number | undefined {
  if (base.fixed.kind === 'journal') {
    const seqs = base.snapshots.map(({ seq }) => seq).filter((seq) => seq >= base.firstSeq && seq <= base.head);
    return seqs.length === 0 ? undefined : pick(random, seqs);
  }
  if (base.head < base.firstSeq) return undefined;
  return base.firstSeq + Math.floor(random() * (base.head - base.firstSeq + 1));
}

function someEntries(random: () => number, kind: NewEntry['kind']): readonly NewEntry[] {
  const count = random() < 0.6 ? 1 : 2 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => ({ ...note(somePayload(random)), kind }));
}

/** Most records are small; some cross one or more sectors, and some hold what a careless reader would stumble over. */
function somePayload(random: () => number): unknown {
  const mark = Math.floor(random() * 1e9).toString(36);
  const choice = random();
  if (choice < 0.6) return { mark };
  if (choice < 0.7) return { mark, text: 'line\nbreak \u0000 "quote" \\ é 漢 😀 \u2028' };
  if (choice < 0.95) return { mark, text: mark.repeat(60 + Math.floor(random() * 120)) };
  return { mark, text: mark.repeat(600) };
}

function someSnapshot(random: () => number, covers: number): NewSnapshot {
  return { covers, head: { label: `of ${covers}` }, body: somePayload(random) };
}

function someClaim({ random, runs }: WorkloadView): ClaimRequest {
  const choice = random();
  if (choice < 0.2) return lease;
  if (choice < 0.5) return { ...lease, type: 'due', graphs: [{ name: 'graph' }], limit: 2, takeover: true };
  const runId = pick(random, [...runs.keys()]);
  if (choice < 0.8) return { ...lease, type: 'one', runId, ifDue: false };
  return choice < 0.95 ? { type: 'release', worker, runIds: [runId] } : { type: 'release', worker };
}

function someTrim({ random, runs }: WorkloadView): Trim {
  const run = pick(random, [...runs.values()]);
  const choice = random();
  if (choice < 0.5) {
    const floor = Math.max(1, run.firstSeq - 1 + Math.floor(random() * (run.head - run.firstSeq + 2)));
    return { runId: run.runId, floor, snapshot: { head: { label: 'floor' }, body: somePayload(random) } };
  }
  if (choice < 0.7)
    return { runId: run.runId, drop: run.snapshots.slice(0, 1).map(({ covers, seq }) => ({ covers, seq })) };
  if (choice < 0.85) return { runId: run.runId, hide: { keepTo: run.head } };
  return { runId: run.runId, remove: true };
}

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

function maybe<T extends object>(random: () => number, share: number, make: () => T): T | Record<string, never> {
  return random() < share ? make() : {};
}
