import { holdfastError } from '../../../errors/holdfast-error.ts';
import type { RunHeader } from '../../../store/contract/run.ts';

/** The record and event to start after. */
export interface Position {
  readonly seq: number;
  readonly index: number;
}

/** How far a child run was read. */
export interface ChildPosition {
  readonly runId: string;
  readonly position: string;
  /** It has failed or was cancelled before, so that its parent may tell of it again: it is never left out of a cursor. */
  readonly isKept: boolean;
}

/** A cursor: how far the run was read, and how far its child runs, except those that have completed. */
export interface Cursor {
  readonly own: string | number;
  readonly children: readonly ChildPosition[];
}

/** All events of a record. */
const wholeRecord = Number.MAX_SAFE_INTEGER;
const positionPattern = /^(\d{1,15})(?:\.(\d{1,9}))?$/;
/** Between the parts of a cursor, and between a child and its position. Neither is in an encoded id. */
const partMark = ';';
const childMark = '@';
const childPattern = /^([^@]+)@(\d{1,15}(?:\.\d{1,9})?)(!?)$/;

/** The text of a position. */
export function formatPosition({ seq, index }: Position): string {
  return index === wholeRecord ? String(seq) : `${seq}.${index}`;
}

/** The text of a cursor: `12.0;child-1@5.1`. */
export function formatCursor(own: string, children: Iterable<ChildPosition>): string {
  let text = own;
  for (const { runId, position, isKept } of children)
    text += `${partMark}${encodeURIComponent(runId)}${childMark}${position}${isKept ? '!' : ''}`;
  return text;
}

/** Parses an event's cursor. A number is a record whose events were all read. @throws HOLDFAST_INVALID_CURSOR */
export function parseCursor(after: string | number = 0): Cursor {
  if (typeof after === 'number') return { own: after, children: [] };
  const [own = '', ...parts] = after.split(partMark);
  const children = parts.map((part): ChildPosition => {
    const [text, id = '', position = '', kept] = childPattern.exec(part) ?? [];
    if (text === undefined) throw invalidCursor(after);
    return { runId: decoded(id, after), position, isKept: kept !== '' };
  });
  return { own, children };
}

function decoded(id: string, after: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw invalidCursor(after);
  }
}

/** A position past the end would wait for records that may never come, and miss those before them. @throws HOLDFAST_INVALID_CURSOR */
export function positionIn({ runId, head }: RunHeader, after: string | number): Position {
  const position = parsePosition(after);
  if (position.seq <= head) return position;
  throw holdfastError(
    'HOLDFAST_INVALID_CURSOR',
    `Run "${runId}" has no event ${String(after)}: its journal ends at ${head}. Use the cursor of an event that you received from this run.`,
    { details: { runId, after, head } },
  );
}

function parsePosition(after: string | number): Position {
  const [text, seq, index] = positionPattern.exec(String(after)) ?? [];
  if (text !== undefined) return { seq: Number(seq), index: index === undefined ? wholeRecord : Number(index) };
  throw invalidCursor(after);
}

function invalidCursor(after: string | number): Error {
  return holdfastError(
    'HOLDFAST_INVALID_CURSOR',
    `${JSON.stringify(after)} is not the cursor of an event. Use the cursor of an event that you received.`,
    { details: { after } },
  );
}
