import { allRuns } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { HeaderState, RunHeader } from '../../store/contract/run.ts';
import { checkRunId } from '../../value/id.ts';
import { RunningHash } from '../../value/running-hash.ts';
import { notFound } from '../not-found.ts';
import { type ExportCounts, exportLine, openEnd, openRecord, openRun, openSnapshot, openStart } from './export-line.ts';
import { type MovedRun, movedRun } from './moved-run.ts';
import { anyHeader, readParts } from './read-parts.ts';
import { type Redact, redactorOf } from './redact.ts';
import { redactParts } from './redact-run.ts';

/** How a run is exported. */
export interface ExportOptions {
  /**
   * What must not leave the house: pointers such as `/state/customer/email` or `/results/*`, or a function that is
   * shown every value of user data with its pointer and gives what is to stand in its place.
   */
  readonly redact?: Redact | undefined;
}

/** A run of an export, and how much of it goes along. */
interface Exported {
  readonly header: RunHeader;
  readonly moved: MovedRun;
}

/**
 * A run with the bases that it stands on and the children that it has, as lines of JSON; memory is bounded whatever its
 * length.
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION, HOLDFAST_CORRUPT, HOLDFAST_CONFLICT
 */
export async function* exportRun(
  store: CheckedStore,
  id: string,
  { redact }: ExportOptions = {},
): AsyncGenerator<Uint8Array> {
  const root = checkRunId(id);
  const redactor = redact === undefined ? undefined : redactorOf(redact);
  const header = await store.header(root);
  if (header === undefined) throw notFound(root);
  const writer = new LineWriter();
  yield writer.line(openStart({ root, redacted: redactor !== undefined }));
  for await (const exported of withChildRuns(store, header)) {
    const { moved } = exported;
    writer.runs += 1;
    yield writer.line(openRun(redactor === undefined ? moved : redactor.run(moved)));
    const options = { store, header: exported.header, upTo: moved.head, onlyNeeded: true };
    const parts = readParts(options);
    for await (const part of redactor === undefined ? parts : redactParts(options, parts, redactor)) {
      for (const [at, entry] of part.entries.entries()) {
        writer.records += 1;
        yield writer.line(openRecord(part.after + at + 1, entry));
      }
      if (part.snapshot === undefined) continue;
      writer.snapshots += 1;
      yield writer.line(openSnapshot(part.snapshot));
    }
  }
  yield writer.end();
}

/** Numbers the lines, and keeps the hash and the counts of what was written. */
class LineWriter {
  runs = 0;
  records = 0;
  snapshots = 0;
  readonly #hash = new RunningHash();
  #count = 0;

  line(open: string): Uint8Array {
    this.#count += 1;
    const bytes = new TextEncoder().encode(exportLine(this.#count, open));
    this.#hash.add(bytes);
    return bytes;
  }

  end(): Uint8Array {
    const counts: ExportCounts = { runs: this.runs, records: this.records, snapshots: this.snapshots };
    return this.line(openEnd(counts, this.#hash.hex()));
  }
}

/** Whoever reads an import from the start has what a run stands on, and waits for, before the run itself. */
async function* withChildRuns(store: CheckedStore, root: RunHeader): AsyncGenerator<Exported> {
  for (const base of await basesOf(store, root)) yield base;
  yield* children(store, root.runId);
  yield { header: root, moved: movedRun(root, root.head) };
}

/** The deepest first, each cut where the next one stands on it: what came later is not the exported run's. */
async function basesOf(store: CheckedStore, root: RunHeader): Promise<readonly Exported[]> {
  const bases: Exported[] = [];
  for (let above = root; above.forkedAt !== null; ) {
    const { runId, seq } = above.forkedAt;
    const header = await anyHeader(store, runId);
    if (header === undefined) throw notFound(runId);
    const moved = { ...movedRun(header, seq), header: unseen, updatedAt: header.createdAt, end: 'hidden' } as const;
    bases.unshift({ header, moved });
    above = header;
  }
  return bases;
}

/** What a base was doing when its fork was exported is nobody's business. */
const unseen: HeaderState = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };

async function* children(store: CheckedStore, parentId: string): AsyncGenerator<Exported> {
  for await (const header of allRuns(store, { parentId })) {
    yield* children(store, header.runId);
    yield { header, moved: movedRun(header, header.head) };
  }
}
