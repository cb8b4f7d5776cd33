import type { NewEntry } from '../../../src/record/record.ts';
import type { NewSnapshot } from '../../../src/store/check/check-commit.ts';
import type { ForkPoint } from '../../../src/store/contract/run.ts';

/** What every record of a commit says of the commit, so that a reader can tell a whole one from a part. */
export interface Payload {
  readonly token: string;
  /** Which of the commit's records this is, from 0 on. */
  readonly at: number;
  readonly of: number;
  /** The commit has a snapshot. */
  readonly snapshot: boolean;
  /** Set in the commit that creates a run. */
  readonly creates: { readonly forkedAt: ForkPoint | null } | null;
  readonly fill: string;
}

/** What a commit consists of, apart from its place. */
export interface CommitContent {
  readonly token: string;
  readonly count: number;
  readonly snapshot: boolean;
  readonly creates: Payload['creates'];
}

/** The records of a commit. */
export function entriesOf({ token, count, snapshot, creates }: CommitContent): readonly NewEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const payload: Payload = { token, at, of: count, snapshot, creates, fill: fillOf(token, at) };
    return { kind: 'note', at: 1_000, payload, ...(at === 0 ? { id: idOf(token) } : {}) };
  });
}

/** The id that the first record of a commit has. */
export function idOf(token: string): string {
  return `id-${token}`;
}

/** A text that only this record of this commit has; mostly small, seldom larger than a page. */
export function fillOf(token: string, at: number): string {
  const seed = hash(`${token}/${at}`);
  const length = seed % 61 === 0 ? 40_000 : seed % 13 === 0 ? 5_000 : seed % 400;
  return `${token}/${at};`.repeat(Math.ceil(length / (token.length + 3))).slice(0, length);
}

/** The snapshot of the commit with this token. */
export function snapshotOf(token: string, covers: number): NewSnapshot {
  return { covers, head: { token }, body: bodyOf(token) };
}

/** The body of that snapshot. */
export function bodyOf(token: string): { readonly token: string; readonly fill: string } {
  return { token, fill: fillOf(token, -1) };
}

/** The snapshot that a trim leaves at its floor. */
export function floorSnapshot(floor: number): { readonly head: unknown; readonly body: unknown } {
  return { head: { floor }, body: { floor, fill: fillOf('floor', floor) } };
}

/** A number from a text, the same each time. */
export function hash(text: string): number {
  let value = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
  return value >>> 0;
}
