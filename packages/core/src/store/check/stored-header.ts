import { isPlainObject } from '../../value/codec/plain-object.ts';
import { isRunId } from '../../value/id.ts';
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
} from '../../value/shape.ts';
import {
  type HeaderState,
  type LeaseRefusal,
  type RunHeader,
  runStatuses,
  type WaitHead,
  waitKinds,
} from '../contract/run.ts';

const isWaitHead = objectOf({
  id: isLabel,
  kind: oneOf(...waitKinds),
  name: isLabel,
  node: isLabel,
  since: isTime,
  until: optional(isTime),
} satisfies Record<keyof WaitHead, Shape>);

/** The nodes of a frontier. */
export const isFrontier: Shape = listOf(isLabel);
/** The open waits of a header. */
export const isWaits: Shape = listOf(isWaitHead);

const headerState = {
  status: oneOf(...runStatuses),
  superstep: isCount,
  frontier: isFrontier,
  waits: isWaits,
  wakeAt: nullable(isTime),
  tags: isTags,
} satisfies Record<keyof HeaderState, Shape>;

/** The part of a header that batches change. */
export const isHeaderState: Shape = objectOf(headerState);

export const isForkPoint: Shape = objectOf({ runId: isRunId, seq: isCount });

const isRefusal = objectOf({
  worker: isText,
  code: isText,
  message: isText,
  at: isTime,
} satisfies Record<keyof LeaseRefusal, Shape>);

const isHeader = objectOf({
  ...headerState,
  runId: isRunId,
  kind: oneOf('graph', 'journal'),
  graph: isLabel,
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

/** The tags of a run. */
export function isTags(value: unknown): boolean {
  return isPlainObject(value) && Object.entries(value).every(([name, tag]) => isLabel(name) && isLabel(tag));
}

/** Whether what a store says of a run can be a header: whoever can write to the store can compute its checksum. */
export function isRunHeader(value: unknown): value is RunHeader {
  if (!isHeader(value)) return false;
  const { head, floor, forkedAt } = value as RunHeader;
  return head >= Math.max(floor, forkedAt?.seq ?? 0);
}
