import type { NewEntry } from '../../../record/record.ts';
import type { CallPlace } from '../payload.ts';
import { type RunState, type TaskMemo, taskKey } from '../run-state.ts';
import { callKey, callOfRecord } from './call-type.ts';
import { isRecorded } from './made-calls.ts';

/** When a body made a call. */
interface CallMadeAt {
  /** How many results it had been given. */
  readonly after: number;
  /** The journal's head when it began. */
  readonly began: number;
}

/** A record for the next commit and, if it belongs to a call, when that was made. */
export interface CallEntry extends NewEntry {
  readonly call?: CallMadeAt | undefined;
}

/**
 * The record as it is stored on top of this state. It says when its call was made only if a reader would assume something
 * else, which is known when it is written: others may have written in the meantime.
 */
export function withCall({ open }: RunState, entry: CallEntry, { after, began }: CallMadeAt): NewEntry {
  const payload = entry.payload as CallPlace;
  const memo = open.get(taskKey(payload));
  const isUnseen = memo !== undefined && memo.woken > began;
  const isSaid = after !== (memo?.results ?? 0) && !hasRecord(memo, entry);
  if (!isSaid && !isUnseen) return entry;
  return { ...entry, payload: { ...payload, ...(isSaid && { after }), ...(isUnseen && { seen: began }) } };
}

function hasRecord(memo: TaskMemo | undefined, entry: NewEntry): boolean {
  const call = memo?.calls.get(callKey(callOfRecord(entry)));
  return call !== undefined && isRecorded(call);
}
