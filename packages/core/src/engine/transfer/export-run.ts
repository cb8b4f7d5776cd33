import { allRuns, anyHeader } from '../../journal/all-runs.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { HeaderState, RunHeader } from '../../store/contract/run.ts';
import { checkOptions, invalidOption } from '../../value/check/check-options.ts';
import { RunningHash } from '../../value/hash/running-hash.ts';
import { checkRunId } from '../../value/id.ts';
import type { Keyring } from '../../value/secret/keyring.ts';
import { notFound } from '../not-found.ts';
import {
  type ExportCounts,
  exportLine,
  openEnd,
  openIds,
  openRecord,
  openRun,
  openSnapshot,
  openStart,
} from './export-line.ts';
import { forkCycle, type MovedRun, movedRun } from './moved-run.ts';
import { readParts } from './read-parts.ts';
import { type Redact, redactorOf } from './redact/redact.ts';
import { redactParts } from './redact/redact-run.ts';

/**
 * Options of an export.
 *
 * @example
 * ```ts
 * const pieces = engine.export('ord-81', { redact: ['/state/customer/email'] });
 * ```
 */
export interface ExportOptions {
  /**
   * What to redact: pointers such as `/state/customer/email` or `/results/*`, or a function that is called with every
   * value of user data and its pointer, and returns the value to export.
   */
  readonly redact?: Redact | undefined;
  /**
   * Whether user data is encrypted in the file, with the first key of the engine, as it is in the store. Whoever imports
   * the file needs that key. Default: true if the engine has keys; pass false to write plain text.
   */
  readonly encrypt?: boolean | undefined;
}

/** A run of an export, and how much of it is exported. */
interface Exported {
  readonly header: RunHeader;
  readonly moved: MovedRun;
}

/**
 * Exports a run, the runs it was forked from and its child runs, as lines of JSON. Memory use does not depend on the
 * length of the run.
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_INVALID_OPTION, HOLDFAST_CORRUPT, HOLDFAST_CONFLICT
 */
export async function* exportRun(
  store: CheckedStore,
  id: string,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array> {
  const root = checkRunId(id);
  const { redact } = checkOptions('export()', options, { redact: true, encrypt: true });
  const keyring = keyringFor(store, options);
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
      if (part.ids !== undefined) yield writer.line(openIds(part.ids));
      for (const [at, entry] of part.entries.entries()) {
        writer.records += 1;
        yield writer.line(openRecord({ runId: moved.runId, seq: part.after + at + 1 }, entry, keyring));
      }
      if (part.snapshot === undefined) continue;
      writer.snapshots += 1;
      yield writer.line(openSnapshot(moved.runId, part.snapshot, keyring));
    }
  }
  yield writer.end();
}

/** The keys to write with. An encrypted store is never exported as plain text without being asked to. */
function keyringFor({ keyring }: CheckedStore, { encrypt }: ExportOptions): Keyring | undefined {
  if (encrypt === true && keyring === undefined)
    throw invalidOption(
      'encrypt',
      'An export can be encrypted only by an engine with keys: openEngine(store, { encryption }).',
    );
  return encrypt === false ? undefined : keyring;
}

/** Numbers the lines, and keeps their hash and counts. */
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

/** In the order an import needs: the runs it was forked from, then its child runs, then the run itself. */
async function* withChildRuns(store: CheckedStore, root: RunHeader): AsyncGenerator<Exported> {
  for (const base of await basesOf(store, root)) yield base;
  yield* childRunsOf(store, root.runId, new Set([root.runId]));
  yield { header: root, moved: movedRun(root, root.head) };
}

/** The deepest first, each cut at its fork point: what came later is not part of the exported run. */
async function basesOf(store: CheckedStore, root: RunHeader): Promise<readonly Exported[]> {
  const bases: Exported[] = [];
  const seen = new Set([root.runId]);
  for (let { forkedAt } = root; forkedAt !== null; ) {
    const { runId, seq } = forkedAt;
    if (seen.has(runId)) throw forkCycle(runId);
    seen.add(runId);
    const header = await anyHeader(store, runId);
    if (header === undefined) throw notFound(runId);
    const moved = { ...movedRun(header, seq), header: noState, updatedAt: header.createdAt, end: 'hidden' } as const;
    bases.unshift({ header, moved });
    ({ forkedAt } = header);
  }
  return bases;
}

/** What a base was doing when its fork was exported stays private. */
const noState: HeaderState = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };

async function* childRunsOf(store: CheckedStore, parentId: string, seen: Set<string>): AsyncGenerator<Exported> {
  for await (const header of allRuns(store, { parentId })) {
    if (seen.has(header.runId)) continue;
    seen.add(header.runId);
    yield* childRunsOf(store, header.runId, seen);
    yield { header, moved: movedRun(header, header.head) };
  }
}
