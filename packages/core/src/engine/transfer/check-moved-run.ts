import type { KnownId } from '../../store/check/known-id.ts';
import type { WaitHead } from '../../store/contract/run.ts';
import { isForkPoint, isHeaderState } from '../../store/stored-header.ts';
import { isCount, isLabel, isTime, nullable, objectOf, oneOf, type Shape } from '../../value/data-shape.ts';
import { isName, isRunId } from '../../value/id.ts';
import type { IdRow } from './export-line.ts';
import { beginOf, type MovedRun } from './moved-run.ts';

type Fields = Readonly<Record<string, unknown>>;

const isMoved = objectOf({
  runId: isRunId,
  kind: oneOf('graph', 'journal'),
  graph: isLabel,
  version: isCount,
  forkedAt: nullable(isForkPoint),
  parentId: nullable(isRunId),
  createdAt: isTime,
  updatedAt: isTime,
  floor: isCount,
  head: isCount,
  header: isHeaderState,
  end: oneOf('seen', 'hidden'),
} satisfies Record<keyof MovedRun, Shape>);

const isCounts = objectOf({ runs: isCount, records: isCount, snapshots: isCount });

/** The header of a run in a line of an export; undefined when the line holds none. Files are not trusted. */
export function asMovedRun(value: unknown): MovedRun | undefined {
  if (!isMoved(value)) return undefined;
  const moved = value as MovedRun;
  const { runId, kind, graph, version, forkedAt, parentId, createdAt, updatedAt, floor, head, end } = moved;
  const { status, superstep, frontier, waits, wakeAt, tags } = moved.header;
  const isClaimable = kind === 'journal' && wakeAt !== null;
  const isNamed = kind === 'journal' || (isName(graph) && frontier.every(isName));
  if (head < beginOf({ forkedAt, floor }) || isClaimable || !isNamed || parentId === runId) return undefined;
  const header = { status, superstep, frontier, waits: waits.map(plainWait), wakeAt, tags };
  return { runId, kind, graph, version, forkedAt, parentId, createdAt, updatedAt, floor, head, header, end };
}

function plainWait({ id, kind, name, node, since, until }: WaitHead): WaitHead {
  return { id, kind, name, node, since, ...(until !== undefined && { until }) };
}

const hashPattern = /^[\w-]{22}$/;

/** The ids in a line, of records up to this seq; undefined when the line holds none. */
export function asIds(value: unknown, upTo: number): readonly KnownId[] | undefined {
  if (!Array.isArray(value) || !value.every((row) => isIdRow(row, upTo))) return undefined;
  return (value as readonly IdRow[]).map(([id, seq, at, content]) => ({ id, seq, at, content }));
}

function isIdRow(row: unknown, upTo: number): boolean {
  if (!Array.isArray(row) || row.length !== 4) return false;
  const [id, seq, at, content] = row as unknown[];
  const isHashed = [id, content].every((text) => typeof text === 'string' && hashPattern.test(text));
  return isHashed && isCount(seq) && (seq as number) >= 1 && (seq as number) <= upTo && isTime(at);
}

/** The counts in the last line; undefined when the line holds none. */
export function asCounts(value: unknown): Fields | undefined {
  return isCounts(value) ? (value as Fields) : undefined;
}
