import { type HeaderState, runStatuses, type WaitHead, waitKinds } from '../../store/contract/run.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { checkRunId } from '../../value/id.ts';
import { beginOf, type MovedRun } from './moved-run.ts';

const statuses: ReadonlySet<unknown> = new Set(runStatuses);
const kindsOfWaits: ReadonlySet<unknown> = new Set(waitKinds);

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTime: Check = (value) => Number.isSafeInteger(value);
const isSeq: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isRun: Check = (value) => typeof value === 'string' && checkRunId(value) === value;
const isBase: Check = (value) => isPlainObject(value) && isRun(value['runId']) && isSeq(value['seq']);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const has =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isPlainObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const isWait = has({
  id: isText,
  kind: (value) => kindsOfWaits.has(value),
  name: isText,
  node: isText,
  since: isTime,
  until: (value) => value === undefined || isTime(value),
} satisfies Record<keyof WaitHead, Check>);

const isHeader = has({
  status: (value) => statuses.has(value),
  superstep: isSeq,
  frontier: isTexts,
  waits: (value) => Array.isArray(value) && value.every(isWait),
  wakeAt: orNull(isTime),
  tags: (value) => isPlainObject(value) && Object.values(value).every(isText),
} satisfies Record<keyof HeaderState, Check>);

const isMoved = has({
  runId: isRun,
  kind: (value) => value === 'graph' || value === 'journal',
  graph: isText,
  version: isSeq,
  forkedAt: orNull(isBase),
  parentId: orNull(isRun),
  createdAt: isTime,
  updatedAt: isTime,
  floor: isSeq,
  head: isSeq,
  header: isHeader,
  end: (value) => value === 'seen' || value === 'hidden',
} satisfies Record<keyof MovedRun, Check>);

/** The header of a run in a line of an export; undefined when the line holds none. Files are not trusted. */
export function asMovedRun(value: unknown): MovedRun | undefined {
  if (!isMoved(value)) return undefined;
  const moved = value as MovedRun;
  const { runId, kind, graph, version, forkedAt, parentId, createdAt, updatedAt, floor, head, end } = moved;
  const { status, superstep, frontier, waits, wakeAt, tags } = moved.header;
  const isClaimable = kind === 'journal' && wakeAt !== null;
  if (head < beginOf({ forkedAt, floor }) || isClaimable) return undefined;
  const header = { status, superstep, frontier, waits: waits.map(plainWait), wakeAt, tags };
  return { runId, kind, graph, version, forkedAt, parentId, createdAt, updatedAt, floor, head, header, end };
}

function plainWait({ id, kind, name, node, since, until }: WaitHead): WaitHead {
  return { id, kind, name, node, since, ...(until !== undefined && { until }) };
}

/** The counts in the last line; undefined when the line holds none. */
export function asCounts(value: unknown): Fields | undefined {
  return has({ runs: isSeq, records: isSeq, snapshots: isSeq })(value) ? (value as Fields) : undefined;
}
