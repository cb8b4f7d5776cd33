import type { CallEntry } from '../fold/call/call-entry.ts';
import { parseCallKey } from '../fold/call/call-type.ts';
import type { CallMemo } from '../fold/run-state.ts';
import { effectWait } from './call/step-call.ts';
import { parkEntries } from './park-entries.ts';
import type { RaisedWait, TaskRun } from './task-run.ts';

/**
 * The records of an attempt that ends while the outcome of one of its 'once' effects is unknown: the task waits until
 * someone settles it. Empty if all outcomes are known.
 */
export function waitForEffects(task: TaskRun, at: number): readonly CallEntry[] {
  const memo = task.state.open.get(task.spec.key);
  const unknown = [...(memo?.calls ?? [])].filter(([, { intent }]) => intent !== undefined);
  if (unknown.length === 0) return [];
  const waits = unknown.filter(([, { wait }]) => wait === undefined).map(([key, call]) => waitOf(task, key, call));
  return parkEntries(task, { type: 'parked', waits, children: [] }, at);
}

function waitOf({ spec }: TaskRun, key: string, { intent = '', after }: CallMemo): RaisedWait {
  const { name, n } = parseCallKey(key);
  const place = { ...spec.place, name, ...(n > 0 && { n }) };
  return effectWait({ place, after }, intent);
}
