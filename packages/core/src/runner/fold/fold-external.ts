import { parseUpdate } from '../../channel/update/prepare-update.ts';
import type { Entry } from '../../record/record.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { messagesNamed } from './call/call-names.ts';
import { callOfWait } from './call/call-type.ts';
import { settleCall } from './open-superstep.ts';
import { payloadOf } from './payload.ts';
import { type KeptAnswer, type KeptMessage, type OpenWait, type RunState, taskMemo } from './run-state.ts';

/** Folds an answer: to an open question, to a later one, or the executor's verdict on an answer. */
export function foldAnswer(state: RunState, entry: Entry): void {
  const payload = payloadOf(entry, 'answer');
  const wait = state.waits.get(payload.wait ?? '');
  if ('child' in payload) {
    if (wait === undefined) {
      state.endedChildren.add(payload.wait);
      return;
    }
    wait.childEnded = true;
    taskMemo(state, wait.place).woken = entry.seq;
    return;
  }
  if ('of' in payload) {
    foldVerdict(state, entry, wait);
    return;
  }
  const { name, value, by, checked = false } = payload;
  const given: KeptAnswer = { seq: entry.seq, value: frozenCopy(value), by, checked };
  if (payload.wait === undefined) state.answers.set(name, given);
  else if (wait !== undefined && checked) accept(state, wait, given, entry.seq);
  else if (wait !== undefined) wait.unchecked.push(given);
}

function foldVerdict(state: RunState, entry: Entry, wait: OpenWait | undefined): void {
  const payload = payloadOf(entry, 'answer');
  if (!('of' in payload)) return;
  const { of, value, refused } = payload;
  if (wait === undefined) {
    // The answer was kept for this question before it was asked.
    for (const [name, kept] of state.answers) if (kept.seq === of) state.answers.delete(name);
    return;
  }
  const given = wait.unchecked.find(({ seq }) => seq === of);
  wait.unchecked.splice(0, wait.unchecked.length, ...wait.unchecked.filter(({ seq }) => seq !== of));
  if (refused !== undefined) return;
  accept(state, wait, { seq: of, value: frozenCopy(value), by: given?.by, checked: true }, entry.seq);
}

function accept(state: RunState, wait: OpenWait, { value, by, seq }: KeptAnswer, wokenBy: number | undefined): void {
  state.asked.set(wait.place.name, { wait: wait.id, answer: { value, by } });
  settleCall(state, callOfWait(wait), { order: wokenBy ?? seq, value }, wokenBy);
}

/** Gives a question the answer that was kept for it. `wokenBy` is left out if the task already has the answer. */
export function takeKeptAnswer(state: RunState, wait: OpenWait, wokenBy: number | undefined): void {
  const { name } = wait.place;
  const kept = state.answers.get(name);
  if (kept === undefined) return;
  state.answers.delete(name);
  if (wokenBy !== undefined && !kept.checked) wait.unchecked.push(kept);
  else accept(state, wait, kept, wokenBy);
}

/** Folds a message, an input for a later turn, or the executor's refusal of a message. */
export function foldMessage(state: RunState, entry: Entry): void {
  const payload = payloadOf(entry, 'message');
  if ('turn' in payload) {
    state.turns.push({ ...payload, update: parseUpdate(payload.update), seq: entry.seq });
    return;
  }
  if ('of' in payload) {
    takeFrom(state.messages, payload.name, payload.of);
    return;
  }
  const { value, checked = false } = payload;
  // Whoever sent it may know it by the name that it had before a migration.
  const name = state.renamedMessages.get(payload.name) ?? payload.name;
  const message = { seq: entry.seq, value: frozenCopy(value), checked };
  const kept = state.messages.get(name);
  if (kept === undefined) state.messages.set(name, [message]);
  else kept.push(message);
  for (const wait of state.waits.values()) {
    if (wait.kind === 'receive' && messagesNamed(wait.place.name).includes(name))
      taskMemo(state, wait.place).woken = entry.seq;
  }
}

/** Wakes a task that waits for a message that is there. */
export function wakeByMessages(state: RunState, { place }: Pick<OpenWait, 'place'>, seq: number): void {
  if (messagesNamed(place.name).some((name) => state.messages.has(name))) taskMemo(state, place).woken = seq;
}

/** The first message with one of these names. */
export function oldestMessage(
  messages: RunState['messages'],
  names: readonly string[],
): { readonly name: string; readonly message: KeptMessage } | undefined {
  let oldest: { readonly name: string; readonly message: KeptMessage } | undefined;
  for (const name of names) {
    const message = messages.get(name)?.[0];
    if (message !== undefined && message.seq < (oldest?.message.seq ?? Number.POSITIVE_INFINITY))
      oldest = { name, message };
  }
  return oldest;
}

/** Takes a message out of its queue. A name without messages has no queue. */
export function takeFrom(messages: RunState['messages'], name: string, seq: number): KeptMessage | undefined {
  const queue = messages.get(name);
  const taken = queue && takeOut(queue, seq);
  if (queue?.length === 0) messages.delete(name);
  return taken;
}

/** Takes what came with this record out of a queue. That is nearly always its first, so the others are not copied. */
export function takeOut<T extends { readonly seq: number }>(queue: T[], of: number): T | undefined {
  const at = queue.findIndex(({ seq }) => seq === of);
  return at === 0 ? queue.shift() : at < 0 ? undefined : queue.splice(at, 1)[0];
}

/** Folds the outcome of a settled effect. */
export function foldResolve(state: RunState, entry: Entry): void {
  const { key, outcome } = payloadOf(entry, 'settle');
  for (const memo of state.open.values()) {
    for (const call of memo.calls.values()) {
      if (call.intent !== key || call.wait === undefined) continue;
      const made = callOfWait(call.wait);
      if (outcome === 'retry') {
        state.waits.delete(call.wait.id);
        call.wait = undefined;
        call.intent = undefined;
        memo.woken = entry.seq;
      } else {
        const settled =
          'error' in outcome
            ? { order: entry.seq, error: { name: 'Error', message: outcome.error } }
            : { order: entry.seq, value: frozenCopy(outcome.result) };
        settleCall(state, made, settled, entry.seq);
      }
      return;
    }
  }
}
