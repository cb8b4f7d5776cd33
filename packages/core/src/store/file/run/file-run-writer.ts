import type { Files } from '../../../env/files.ts';
import type { StoredId, StoredSnapshot } from '../../contract/commit.ts';
import { faultOf } from '../../store-fault.ts';
import { inDoubt, undone, undoneInDoubt } from '../errors.ts';
import type { SnapshotFile } from '../folder/names.ts';
import { removeDurably } from '../folder/remove-durably.ts';
import { placeFile } from '../folder/write-atomically.ts';
import { encodeIds } from '../id/id-file.ts';
import { encodeCommit } from '../segment/commit-lines.ts';
import type { DurableWriter } from '../segment/durable-writer.ts';
import type { HandleCache } from '../segment/handle-cache.ts';
import type { Tail } from '../segment/tail.ts';
import { encodeSnapshot } from '../snapshot/snapshot-file.ts';
import { type FileRunState, withSnapshot } from './file-run-state.ts';
import { folderPath, idsPath, type RunPlace, segmentPath, snapshotPath } from './run-place.ts';

/** One durable change of a run's files. */
export interface Change {
  readonly place: RunPlace;
  /** Undefined for a new run. */
  readonly state: FileRunState | undefined;
  readonly tail: Tail;
  /** Of its records, as `encodeRecords` gives them. */
  readonly lines: readonly string[];
  readonly snapshot: StoredSnapshot | null;
  /** The content of the file of ids that the tail names, if this commit writes it. */
  readonly ids?: readonly StoredId[] | undefined;
  /** The commit begins a segment of its own, from this seq on. */
  readonly restart?: number | undefined;
  /** Nothing else is written beside it. */
  readonly isAlone?: boolean | undefined;
}

interface RunWriterOptions {
  readonly files: Files;
  readonly handles: HandleCache;
  readonly durable: DurableWriter;
  /** A segment that has grown to this is followed by a new one, so that pruning drops files. */
  readonly segmentBytes: number;
}

/** Writes commits to the files of runs: durable when it resolves, undone or in doubt when it does not. */
export class FileRunWriter {
  readonly #files: Files;
  readonly #handles: HandleCache;
  readonly #durable: DurableWriter;
  readonly #segmentBytes: number;

  constructor({ files, handles, durable, segmentBytes }: RunWriterOptions) {
    this.#files = files;
    this.#handles = handles;
    this.#durable = durable;
    this.#segmentBytes = segmentBytes;
  }

  /** The name of a new run's folder is durable only once the folder of all runs has been synced. */
  async write(change: Change): Promise<FileRunState> {
    const { place, state, snapshot, tail } = change;
    if (state === undefined) await this.#makeFolder(place);
    try {
      if (change.ids !== undefined && tail.ids !== null) await this.#writeIds(change, change.ids);
      if (snapshot === null) return await this.#writeJournal(change);
      const file = { covers: snapshot.covers, seq: snapshot.seq, rev: tail.rev };
      await this.#writeSnapshot(change, snapshot, file);
      const written = await this.#writeJournalOf(change, file);
      return { ...written, snapshots: withSnapshot(written.snapshots, file) };
    } catch (error) {
      if (state === undefined) await this.#files.removeDirectory(folderPath(place)).catch(() => {});
      throw error;
    }
  }

  async #makeFolder(place: RunPlace): Promise<void> {
    try {
      await this.#files.makeDirectory(folderPath(place));
    } catch (cause) {
      throw await undone(cause, async () => {});
    }
  }

  /** The snapshot was already written, and must go if the journal cannot be written. */
  async #writeJournalOf(change: Change, snapshot: SnapshotFile): Promise<FileRunState> {
    try {
      return await this.#writeJournal(change);
    } catch (error) {
      return this.#withoutSnapshot(change.place, snapshot, error);
    }
  }

  #writeJournal(change: Change): Promise<FileRunState> {
    const { state, tail, lines, restart } = change;
    const next = tail.header.head - lines.length + 1;
    const last = state?.segments.at(-1);
    if (state === undefined || last === undefined) return this.#begin(change, restart ?? next);
    if (restart !== undefined) return this.#begin(change, restart);
    return state.end >= this.#segmentBytes && next > last
      ? this.#begin(change, next)
      : this.#append(change, state, last);
  }

  async #append({ place, tail, lines, isAlone }: Change, state: FileRunState, first: number): Promise<FileRunState> {
    const { segments, end, snapshots } = state;
    const { bytes, tail: written } = encodeCommit({ folder: place.folder, first, lines, tail, from: end });
    await this.#handles.use({ place, first }, 'write', (segment) => {
      const undo = (): Promise<void> => segment.cutTo(end);
      return this.#durable.write(segment.handle, { bytes: segment.next(bytes, end), position: end, undo, isAlone });
    });
    return { tail: written, segments, end: end + bytes.length, snapshots };
  }

  /** Begins a segment. Until its name is durable the one before it is the last, so a failure removes the name again. */
  async #begin({ place, state, tail, lines }: Change, first: number): Promise<FileRunState> {
    const { bytes, tail: written } = encodeCommit({ folder: place.folder, first, lines, tail, from: 0 });
    const undo = async (): Promise<void> => {
      await this.#handles.drop(place);
      await removeDurably(this.#files, folderPath(place), [segmentPath(place, first)]);
    };
    await this.#handles.use({ place, first }, 'create', ({ handle }) =>
      this.#durable.write(handle, { bytes, position: 0, undo }),
    );
    await this.#files.syncDirectory(folderPath(place)).catch(async (cause: unknown) => {
      throw await undoneInDoubt(cause, undo);
    });
    const segments = [...(state?.segments ?? []), first];
    return { tail: written, segments, end: bytes.length, snapshots: state?.snapshots ?? [] };
  }

  async #writeSnapshot({ place, tail }: Change, snapshot: StoredSnapshot, file: SnapshotFile): Promise<void> {
    const path = snapshotPath(place, file);
    try {
      await placeFile(this.#files, path, encodeSnapshot(tail.header.runId, snapshot));
    } catch (cause) {
      throw await undone(cause, async () => {});
    }
    await this.#syncFolder(place);
  }

  /** Only the tail that names this revision makes the file count. */
  async #writeIds({ place, tail }: Change, ids: readonly StoredId[]): Promise<void> {
    try {
      await placeFile(this.#files, idsPath(place, tail.rev), encodeIds(place, tail.rev, ids));
    } catch (cause) {
      throw await undone(cause, async () => {});
    }
    await this.#syncFolder(place);
  }

  /** What was written stays: without its commit it does not count, and the next process to open the store removes it durably. */
  async #syncFolder(place: RunPlace): Promise<void> {
    await this.#files.syncDirectory(folderPath(place)).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
  }

  /**
   * A snapshot without its commit would be mistaken for one of the next commit. If the commit itself is in doubt it stays:
   * a power cut may bring the commit back, and the next process to open the store sees which of the two it is.
   */
  async #withoutSnapshot(place: RunPlace, file: SnapshotFile, error: unknown): Promise<never> {
    if (faultOf(error).poisoned) throw error;
    try {
      await removeDurably(this.#files, folderPath(place), [snapshotPath(place, file)]);
    } catch (cause) {
      throw inDoubt(cause);
    }
    throw error;
  }
}
