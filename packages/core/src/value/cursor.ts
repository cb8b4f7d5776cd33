import { holdfastError } from '../errors/holdfast-error.ts';
import { isRecordId, isRunId } from './id.ts';
import { printable } from './printable.ts';

/** A position in a run's journal. */
export interface Place {
  readonly runId: string;
  readonly seq: number;
}

/** A checkpoint with an id that a user chose. */
export interface AliasedPlace {
  readonly runId: string;
  readonly alias: string;
}

const seqPattern = /^(?:0|[1-9]\d{0,15})$/;

/** Formats a position: `run@seq`. */
export function formatCursor(runId: string, seq: number): string {
  return `${runId}@${seq}`;
}

/**
 * Parses `run@seq` strictly.
 *
 * @throws HOLDFAST_INVALID_CURSOR
 */
export function parseCursor(text: unknown): Place {
  const parts = split(text);
  const seq = parts === undefined ? undefined : parseSeq(parts.rest);
  if (parts === undefined || seq === undefined) throw invalid(text, 'a valid cursor. Use run@seq');
  return { runId: parts.runId, seq };
}

/**
 * Parses the id of a checkpoint: `run@seq`, or `run@alias` if a user chose an alias.
 *
 * @throws HOLDFAST_INVALID_CURSOR
 */
export function parseCheckpointId(text: unknown): Place | AliasedPlace {
  const parts = split(text);
  if (parts !== undefined) {
    const seq = parseSeq(parts.rest);
    if (seq !== undefined) return { runId: parts.runId, seq };
    if (isRecordId(parts.rest)) return { runId: parts.runId, alias: parts.rest };
  }
  throw invalid(text, 'a valid checkpoint id. Use run@seq, or run@id with the id it was saved under');
}

function split(text: unknown): { readonly runId: string; readonly rest: string } | undefined {
  if (typeof text !== 'string') return undefined;
  const at = text.indexOf('@');
  const runId = text.slice(0, Math.max(at, 0));
  return isRunId(runId) ? { runId, rest: text.slice(at + 1) } : undefined;
}

function parseSeq(text: string): number | undefined {
  if (!seqPattern.test(text)) return undefined;
  const seq = Number(text);
  return Number.isSafeInteger(seq) ? seq : undefined;
}

function invalid(text: unknown, rest: string): Error {
  const shown =
    typeof text === 'string' ? `"${printable(text)}"` : text === null ? 'null' : `a value of type ${typeof text}`;
  return holdfastError('HOLDFAST_INVALID_CURSOR', `${shown} is not ${rest}.`);
}
