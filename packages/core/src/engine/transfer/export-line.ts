import type { NewEntry } from '../../record/record.ts';
import { encodeEntry, encodeSecretEntry } from '../../record/record-codec.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import { sealSnapshot } from '../../store/commit/encode.ts';
import { encodeOwn } from '../../value/codec/codec.ts';
import type { Place } from '../../value/cursor.ts';
import { sealLine } from '../../value/hash/sealed-line.ts';
import type { Keyring } from '../../value/secret/keyring.ts';
import type { MovedRun, Part } from './moved-run.ts';

/**
 * The format of an exported run: lines of JSON, each with a checksum that binds it to its place, as in the file store. A
 * change of the content is a new version.
 *
 * - `{"holdfast":"runs","version":1,"root":"…","redacted":false}`
 * - for each run (first those it was forked from, then child runs, the root last): its header, `{"runId":"…", …}`; the ids
 *   of records that were trimmed, `{"ids":[["hash of the id",seq,at,"hash of the content"], …]}`, in any number of lines; then,
 *   in the order of the journal, `{"seq":7,"record":{…}}` and `{"snapshot":{"covers":7,"seq":7},"head":{…},"body":{…}}`
 * - `{"end":{"runs":1,"records":12,"snapshots":0},"sha256":"…"}`, the hash of all lines before it
 *
 * Records, heads and bodies are tagged JSON, as the codec writes it. In an encrypted export, a record has `secret` instead of
 * meta and payload, and a snapshot has `sealed` instead of head and body, both as in the store.
 */
export const exportVersion = 1;

/** How the first line of every version begins. */
export const exportStart = '{"holdfast":"runs","version":';

/** The first line. */
export interface ExportStart {
  readonly root: string;
  /** Whether values were left out or replaced. */
  readonly redacted: boolean;
}

/** What an export holds, according to its last line. */
export interface ExportCounts {
  readonly runs: number;
  readonly records: number;
  readonly snapshots: number;
}

/** The place that a line's checksum binds it to: `1 ` for the first. */
export function linePlace(number: number): string {
  return `${number} `;
}

/** The text of a line, from its members without the closing brace. */
export function exportLine(number: number, open: string): string {
  return sealLine(linePlace(number), open);
}

export function openStart({ root, redacted }: ExportStart): string {
  return `${exportStart}${exportVersion},"root":${JSON.stringify(root)},"redacted":${redacted}`;
}

export function openRun({ runId, ...rest }: MovedRun): string {
  return JSON.stringify({ runId, ...rest }).slice(0, -1);
}

export function openRecord(place: Place, entry: NewEntry, keyring: Keyring | undefined): string {
  const text = keyring === undefined ? encodeEntry(entry) : encodeSecretEntry(keyring, place, entry);
  return `{"seq":${place.seq},"record":${jsonOf(text)}`;
}

export function openIds(ids: readonly KnownId[]): string {
  return `{"ids":${JSON.stringify(ids.map(({ id, seq, at, content = '' }): IdRow => [id, seq, at, content]))}`;
}

/** An id in a line. */
export type IdRow = readonly [id: string, seq: number, at: number, content: string];

export function openSnapshot(
  runId: string,
  snapshot: NonNullable<Part['snapshot']>,
  keyring: Keyring | undefined,
): string {
  const { covers, seq, head, body } = snapshot;
  const key = JSON.stringify({ covers, seq });
  if (keyring !== undefined) {
    const sealed = sealSnapshot({ runId, seq }, snapshot, keyring);
    return `{"snapshot":${key},"sealed":${JSON.stringify({ head: sealed.head, body: sealed.body })}`;
  }
  return `{"snapshot":${key},"head":${jsonOf(encodeOwn(head))},"body":${jsonOf(encodeOwn(body))}`;
}

export function openEnd(counts: ExportCounts, sha256: string): string {
  return `{"end":${JSON.stringify(counts)},"sha256":"${sha256}"`;
}

/** A text of the codec is a format character followed by JSON. */
function jsonOf(text: string): string {
  return text.slice(1);
}
