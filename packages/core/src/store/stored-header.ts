import { isPlainObject } from '../value/codec/plain-object.ts';
import {
  isCount,
  isFlag,
  isLabel,
  isText,
  isTime,
  listOf,
  nullable,
  objectOf,
  oneOf,
  optional,
  type Shape,
} from '../value/data-shape.ts';
import { isRunId } from '../value/id.ts';
import {
  type HeaderState,
  type LeaseRefusal,
  type RunHeader,
  runStatuses,
  type WaitHead,
  waitKinds,
} from './contract/run.ts';

/** A text that every store keeps as it is. The engine limits names; whoever writes without it need not. */
const isKept: Shape = (value) => typeof value === 'string' && !/[\0\p{Cs}]/u.test(value);

/** The shapes of what batches change, given what a name may be. */
function shapesOf(isName: Shape): Readonly<Record<keyof HeaderState, Shape>> {
  const isWaitHead = objectOf({
    id: isName,
    kind: oneOf(...waitKinds),
    name: isName,
    node: isName,
    since: isTime,
    until: optional(isTime),
  } satisfies Record<keyof WaitHead, Shape>);
  return {
    status: oneOf(...runStatuses),
    superstep: isCount,
    frontier: listOf(isName),
    waits: listOf(isWaitHead),
    wakeAt: nullable(isTime),
    tags: (value) => isPlainObject(value) && Object.entries(value).every(([name, tag]) => isName(name) && isName(tag)),
  };
}

/** The part of a header that batches change, as the engine would write it. */
export const isHeaderState: Shape = objectOf({ ...shapesOf(isLabel) });

/** What a store keeps of it. */
const stored = shapesOf(isKept);

/** The nodes of a frontier. */
export const isFrontier: Shape = stored.frontier;
/** The open waits of a header. */
export const isWaits: Shape = stored.waits;
/** The tags of a run. */
export const isTags: Shape = stored.tags;

export const isForkPoint: Shape = objectOf({ runId: isRunId, seq: isCount });

const isRefusal = objectOf({
  worker: isText,
  code: isText,
  message: isText,
  at: isTime,
} satisfies Record<keyof LeaseRefusal, Shape>);

const isHeader = objectOf({
  ...stored,
  runId: isRunId,
  kind: oneOf('graph', 'journal'),
  graph: isKept,
  version: isCount,
  forkedAt: nullable(isForkPoint),
  parentId: nullable(isRunId),
  createdAt: isTime,
  updatedAt: isTime,
  worker: nullable(isText),
  head: isCount,
  floor: isCount,
  fence: isCount,
  epoch: isCount,
  claims: isCount,
  hidden: isFlag,
  draft: optional(isFlag),
  refusals: listOf(isRefusal),
} satisfies Record<keyof RunHeader, Shape>);

/** Whether what a store says of a run can be a header: whoever can write to the store can compute its checksum. */
export function isRunHeader(value: unknown): value is RunHeader {
  if (!isHeader(value)) return false;
  const { head, floor, forkedAt } = value as RunHeader;
  return head >= Math.max(floor, forkedAt?.seq ?? 0);
}
