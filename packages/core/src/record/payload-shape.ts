import {
  anyOf,
  anything,
  byField,
  isCount,
  isFlag,
  isText,
  isTime,
  listOf,
  nothing,
  objectOf,
  oneOf,
  optional,
  recordOf,
  type Shape,
} from '../value/data-shape.ts';
import type { RecordKind } from './record.ts';

/** The most items of an `each`: all of them run side by side, and their events are listed together. */
export const mostItems: number = 1_000_000;
const isItems: Shape = (value) => isCount(value) && (value as number) <= mostItems;

/**
 * What the payload of each kind looks like. A store or an import may hold anything, so this is checked when a record is
 * decoded: whatever folds or shows a record can rely on it. Changes of the state are checked where they are applied, and
 * values of users are not looked into.
 */
const task = { node: isText, item: optional(isItems), of: optional(isItems) };
const call = { ...task, name: isText, n: optional(isCount) };
const names = listOf(isText);
const made = { after: optional(isCount), seen: optional(isCount) };
const parked = { took: optional(names), dropped: optional(names), ...made };

/** Errors have causes, which are errors. */
const isError: Shape = (value) => error(value);
const error = objectOf({
  name: isText,
  message: isText,
  code: optional(isText),
  fields: optional(objectOf({})),
  details: optional(objectOf({})),
  stack: optional(isText),
  cause: optional(isError),
});

/** The settings of a run. */
export const isSettings: Shape = objectOf({
  maxSupersteps: optional(isLimit),
  timeoutMs: optional(isCount),
  pauseBefore: optional(names),
  pauseAfter: optional(names),
});

/** Whole, positive, or no limit at all. */
function isLimit(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (isCount(value) && value !== 0);
}

/** How a run ended. */
export const isEnd: Shape = objectOf({
  status: oneOf('completed', 'failed', 'cancelled'),
  error: optional(isError),
  reason: optional(isText),
});

const shapes: Readonly<Record<RecordKind, Shape>> = {
  'run-start': objectOf({
    graph: isText,
    version: isCount,
    fingerprint: isText,
    hash: isText,
    turn: optional(isText),
    next: names,
    settings: optional(isSettings),
    wakes: optional(isText),
  }),
  task: objectOf({ ...task, update: optional(objectOf({})), goto: optional(isText), again: optional(objectOf({})) }),
  superstep: objectOf({
    delta: optional(objectOf({})),
    next: optional(names),
    joins: optional(recordOf(names)),
    counts: optional(recordOf(isItems)),
    again: optional(objectOf({})),
  }),
  result: objectOf({
    ...call,
    ...made,
    type: optional(oneOf('step', 'ask', 'sleep', 'receive', 'child', 'start', 'now', 'uuid')),
    error: optional(isError),
    take: optional(isCount),
    from: optional(isText),
    child: optional(isText),
  }),
  intent: objectOf({ ...call, ...made, key: isText }),
  wait: byField(
    { again: objectOf({ ...task, ...parked, again: oneOf(true) }) },
    objectOf({
      ...call,
      ...parked,
      id: isText,
      kind: oneOf('ask', 'sleep', 'receive', 'child', 'effect'),
      until: optional(isTime),
      child: optional(isText),
      answer: optional(isCount),
    }),
  ),
  answer: byField(
    {
      child: objectOf({ wait: isText, child: isText }),
      of: objectOf({ wait: isText, of: isCount, refused: optional(isError) }),
    },
    objectOf({ name: isText, wait: optional(isText), by: optional(isText), checked: optional(isFlag) }),
  ),
  message: byField(
    {
      turn: objectOf({ turn: isText, hash: isText, update: objectOf({}), settings: optional(isSettings) }),
      of: objectOf({ name: isText, refused: isError, of: isCount }),
    },
    objectOf({ name: isText, checked: optional(isFlag) }),
  ),
  timer: objectOf({ wait: optional(isText) }),
  attempt: objectOf({
    ...task,
    name: optional(isText),
    n: optional(isCount),
    error: isError,
    retryAt: optional(isTime),
  }),
  emit: objectOf({ items: listOf(objectOf({ ...task, step: optional(isText) })) }),
  log: objectOf({ ...task, attempt: optional(isCount), inStep: optional(isFlag), message: isText }),
  turn: objectOf({ of: isCount, turn: isText, next: names, settings: optional(isSettings) }),
  pause: objectOf({ when: oneOf('before', 'after'), nodes: names }),
  resume: objectOf({ maxSupersteps: optional(isLimit), accept: optional(oneOf('diverged')) }),
  cancel: objectOf({ reason: optional(isText) }),
  settle: objectOf({
    key: isText,
    outcome: anyOf(oneOf('retry'), byField({ error: objectOf({ error: isText }), result: anything }, nothing)),
  }),
  'run-end': isEnd,
  fork: optional(objectOf({ label: optional(isText), next: optional(names), settings: optional(isSettings) })),
  migrate: objectOf({
    version: isCount,
    fingerprint: isText,
    state: objectOf({}),
    nodes: recordOf(isText),
    asks: recordOf(isText),
    steps: optional(recordOf(anyOf(isText, oneOf(null)))),
    messages: optional(recordOf(isText)),
  }),
  note: anything,
  checkpoint: anything,
};

/** Whether the payload of a record fits its kind. */
export function fitsKind(kind: RecordKind, payload: unknown): boolean {
  return shapes[kind](payload);
}
