import type { NewEntry } from '../../../record/record.ts';
import type { CallPlace, CallType, Payloads, WaitKind } from '../payload.ts';

/** A call and its type, which the call's records tell. */
export interface TypedCall extends CallPlace {
  readonly type: CallType;
}

/** A step that waits for someone to settle its effect is still a step. */
export function typeOfWait(kind: WaitKind): CallType {
  return kind === 'effect' ? 'step' : kind;
}

/** The call that waits. */
export function callOfWait({ kind, place }: { readonly kind: WaitKind; readonly place: CallPlace }): TypedCall {
  return { ...place, type: typeOfWait(kind) };
}

/** Answers and timers settle the other calls, without a `result` record. */
export function typeOfResult({ type, take, child }: Pick<Payloads['result'], 'type' | 'take' | 'child'>): CallType {
  if (type !== undefined) return type;
  if (take !== undefined) return 'receive';
  return child === undefined ? 'step' : 'child';
}

/** The call that a `result`, `intent` or `wait` record is about. */
export function callOfRecord({ kind, payload }: Pick<NewEntry, 'kind' | 'payload'>): TypedCall {
  const place = payload as CallPlace;
  if (kind === 'wait') return { ...place, type: typeOfWait((payload as Payloads['wait']).kind) };
  return { ...place, type: kind === 'result' ? typeOfResult(payload as Payloads['result']) : 'step' };
}

/** The name of a call within its task. The dot keeps it apart from steps: no step's name starts with one. */
export function callKey({ type, name, n = 0 }: Pick<TypedCall, 'type' | 'name' | 'n'>): string {
  return type === 'step' ? `${name}#${n}` : `.${type}:${name}#${n}`;
}

/** The same of a call by its type and its place. */
export function keyOfPlace({ type, place }: { readonly type: CallType; readonly place: CallPlace }): string {
  return callKey({ type, name: place.name, n: place.n });
}

const typed = /^\.(ask|sleep|receive|child|start|now|uuid):/;

/** What a `callKey` was made of. */
export function parseCallKey(key: string): Pick<TypedCall, 'type' | 'name'> & { readonly n: number } {
  const hash = key.lastIndexOf('#');
  const [prefix = '', type = 'step'] = typed.exec(key) ?? [];
  return { type: type as CallType, name: key.slice(prefix.length, hash), n: Number(key.slice(hash + 1)) };
}
