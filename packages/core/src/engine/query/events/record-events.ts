import type { HoldfastError } from '../../../errors/holdfast-error.ts';
import type { Entry } from '../../../record/record.ts';
import { messagesNamed } from '../../../runner/fold/call/call-names.ts';
import { callKey, callOfRecord, type TypedCall } from '../../../runner/fold/call/call-type.ts';
import { type CallPlace, nodeEffect, type Payloads, payloadOf, type TaskPlace } from '../../../runner/fold/payload.ts';
import { type CallMemo, type OpenWait, type RunState, taskKey } from '../../../runner/fold/run-state.ts';
import { asHoldfastError, reviveError, type StoredError } from '../../../runner/fold/stored-error.ts';
import { pauseWaitId } from '../../../runner/plan/run-header.ts';
import { formatCursor } from '../../../value/cursor.ts';
import type { FailedAttempt, StepEvent } from '../../graph-run.ts';
import { publicWait, publicWaits } from '../public-wait.ts';
import { type EventBody, emitEvent, taskEvent } from './live-bus.ts';

/** The events of a record, given the run before it. They are the same for every reader, at any time. */
export function eventsOf(before: RunState, entry: Entry): readonly EventBody[] {
  switch (entry.kind) {
    case 'run-start':
      return [{ type: 'turn', turn: payloadOf(entry, 'run-start').turn }];
    case 'turn':
      return [{ type: 'turn', turn: payloadOf(entry, 'turn').turn }];
    case 'task': {
      const place = payloadOf(entry, 'task');
      if (place.of === 0) return [];
      return [...withdrawn(before, place), nodeEnd(before, place)];
    }
    case 'superstep':
      return stepEvents(before, entry);
    case 'result':
      return resultEvents(before, entry);
    case 'attempt': {
      const { name, n, error, retryAt, ...place } = payloadOf(entry, 'attempt');
      if (name !== undefined) return [stepError(before, { ...place, name, n }, error, retryAt)];
      return [
        ...withdrawn(before, place),
        { ...taskOf(before, place), type: 'node-error', ...failedAttempt(reviveError(error), retryAt) },
      ];
    }
    case 'emit':
      return payloadOf(entry, 'emit').items.map((item) => emitEvent(before.superstep + 1, item));
    case 'log': {
      const { node, item, of, attempt = 1, message, data } = payloadOf(entry, 'log');
      return [{ ...taskEvent(before.superstep + 1, { node, item, of }, attempt), type: 'log', message, data }];
    }
    default:
      return waitEvents(before, entry);
  }
}

/** The events of records that begin and end waits, and of the run's end. */
function waitEvents(before: RunState, entry: Entry): readonly EventBody[] {
  switch (entry.kind) {
    case 'wait': {
      const payload = payloadOf(entry, 'wait');
      if (payload.again === true) return [];
      const { id, node, item, of, name, n, answer } = payload;
      const { kind, show, until, child } = payload;
      const open = { id, kind, place: { node, item, of, name, n }, show, until, child, since: entry.at };
      const begun = publicWaits(before, open).map((wait): EventBody => ({ type: 'wait', wait }));
      return answer === undefined ? begun : [...begun, done(id, before.answers.get(name)?.by)];
    }
    case 'answer':
      return answerEvents(before, entry);
    case 'message': {
      const payload = payloadOf(entry, 'message');
      if (!('refused' in payload)) return [];
      const wait = [...before.waits.values()].find(
        ({ kind, place }) => kind === 'receive' && messagesNamed(place.name).includes(payload.name),
      );
      return [{ type: 'refused', wait: wait?.id ?? '', error: reviveError(payload.refused) as HoldfastError }];
    }
    case 'timer': {
      const wait = before.waits.get(payloadOf(entry, 'timer').wait ?? '');
      if (wait === undefined) return [];
      return [{ type: 'wait-end', wait: wait.id, how: wait.kind === 'sleep' ? 'done' : 'timeout', by: undefined }];
    }
    case 'settle':
      return settleEvents(before, payloadOf(entry, 'settle'));
    case 'pause': {
      const paused = { ...payloadOf(entry, 'pause'), since: entry.at };
      return [{ type: 'wait', wait: publicWait(before, paused) }];
    }
    case 'resume':
      return before.paused === undefined ? [] : [done(pauseWaitId)];
    case 'run-end': {
      const { status } = payloadOf(entry, 'run-end');
      return [...[...before.waits.values()].map(cancelledWait), { type: 'run-end', status }];
    }
    default:
      return [];
  }
}

function stepEvents(before: RunState, entry: Entry): readonly EventBody[] {
  const { counts = {}, delta = {} } = payloadOf(entry, 'superstep');
  const tasks = before.frontier.flatMap((node): readonly TaskPlace[] => {
    const of = counts[node];
    return of === undefined ? [{ node }] : Array.from({ length: of }, (_, item) => ({ node, item, of }));
  });
  const ending = tasks.filter((place) => before.open.get(taskKey(place))?.done === undefined);
  return [
    ...ending.flatMap((place) => [...withdrawn(before, place), nodeEnd(before, place)]),
    {
      type: 'checkpoint',
      checkpoint: formatCursor(entry.runId, entry.seq),
      superstep: before.superstep + 1,
      changed: Object.keys(delta),
    },
  ];
}

function resultEvents(before: RunState, entry: Entry): readonly EventBody[] {
  const { name, n, node, item, of, error } = payloadOf(entry, 'result');
  const place = { node, item, of, name, n };
  const made = callOfRecord(entry);
  const wait = callOf(before, made)?.wait;
  const waitEnd = wait === undefined ? [] : [done(wait.id)];
  if (made.type !== 'step') return waitEnd;
  return [...waitEnd, error === undefined ? stepEnd(before, place) : stepError(before, place, error)];
}

/** Someone said what happened to an effect: its wait ends, and the step too unless it is to be tried again. */
function settleEvents(before: RunState, { key, outcome }: Payloads['settle']): readonly EventBody[] {
  const place = before.waits.get(key)?.place;
  if (place === undefined) return [];
  // A node that is an effect ends with its own record.
  if (outcome === 'retry' || place.name === nodeEffect) return [done(key)];
  if (!('error' in outcome)) return [done(key), stepEnd(before, place)];
  return [done(key), stepError(before, place, { name: 'Error', message: outcome.error })];
}

function stepEnd(before: RunState, place: CallPlace): EventBody {
  return { ...stepOf(before, place), type: 'step-end', replayed: false };
}

function stepError(before: RunState, place: CallPlace, error: StoredError, retryAt?: number): EventBody {
  const step = stepOf(before, place);
  const details = { runId: before.runId, node: place.node, step: place.name, attempts: step.attempt };
  const failure = asHoldfastError(reviveError(error), 'HOLDFAST_STEP_FAILED', `Step ${place.name}`, details);
  return { ...step, type: 'step-error', ...failedAttempt(failure, retryAt) };
}

function failedAttempt(error: Error, retryAt: number | undefined): FailedAttempt {
  const willRetry = retryAt !== undefined;
  return { error: error as HoldfastError, willRetry, retryAt: willRetry ? new Date(retryAt) : undefined };
}

function callOf(before: RunState, made: TypedCall): CallMemo | undefined {
  return before.open.get(taskKey(made))?.calls.get(callKey(made));
}

function stepOf(before: RunState, place: CallPlace): StepEvent<string> {
  const attempts = callOf(before, { ...place, type: 'step' })?.attempts ?? 0;
  return {
    ...taskEvent(before.superstep + 1, place, attempts + 1),
    step: place.name,
    call: place.n ?? 0,
  };
}

function answerEvents(before: RunState, entry: Entry): readonly EventBody[] {
  const payload = payloadOf(entry, 'answer');
  if ('child' in payload) return [];
  if ('of' in payload) {
    const { wait, of, refused } = payload;
    if (refused !== undefined) return [{ type: 'refused', wait, error: reviveError(refused) as HoldfastError }];
    const given = before.waits.get(wait)?.unchecked.find(({ seq }) => seq === of);
    return [done(wait, given?.by)];
  }
  const { wait, by, checked = false } = payload;
  return wait !== undefined && checked && before.waits.has(wait) ? [done(wait, by)] : [];
}

function taskOf(before: RunState, place: TaskPlace): ReturnType<typeof taskEvent> {
  const attempts = before.open.get(taskKey(place))?.attempts ?? 0;
  return taskEvent(before.superstep + 1, place, attempts + 1);
}

function nodeEnd(before: RunState, place: TaskPlace): EventBody {
  return { ...taskOf(before, place), type: 'node-end', replayed: false };
}

/** The waits that end because their task does. */
function withdrawn(before: RunState, place: TaskPlace): readonly EventBody[] {
  const key = taskKey(place);
  return [...before.waits.values()].filter((wait) => taskKey(wait.place) === key).map(cancelledWait);
}

function cancelledWait({ id }: OpenWait): EventBody {
  return { type: 'wait-end', wait: id, how: 'cancelled', by: undefined };
}

function done(wait: string, by?: string): EventBody {
  return { type: 'wait-end', wait, how: 'done', by };
}
