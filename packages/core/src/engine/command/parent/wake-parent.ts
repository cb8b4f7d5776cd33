import { findRun } from '../../../runner/load-run.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import { dueUnlessSuspended } from '../../lease/suspended.ts';
import type { EngineParts } from '../../parts.ts';

/** A child that has ended, and the wait of its parent that ends with it. */
export interface ChildWake {
  readonly parentId: string;
  readonly wait: string;
  readonly child: string;
}

/**
 * Tells a parent, as an external writer, that its child has ended. Writes nothing if the parent no longer waits for it.
 * Returns the header of the parent as it was found, or undefined if there is none.
 */
export async function wakeParent(
  { store, writer, env, leases }: EngineParts,
  { parentId, wait, child }: ChildWake,
): Promise<RunHeader | undefined> {
  let parent: RunHeader | undefined;
  await leases.knowTime();
  await writer.writeOn(parentId, {
    read: () => findRun(store, parentId),
    decide: (found) => {
      parent = found?.header;
      if (found === undefined || found.header.hidden || found.header.kind === 'journal') return { done: undefined };
      const { waits, endedChildren, abandoned, end } = found.state;
      const isKnown = waits.get(wait)?.childEnded === true || endedChildren.has(wait) || abandoned.has(child);
      if (end !== undefined || isKnown) return { done: undefined };
      const at = env.clock.now();
      return {
        entries: [{ kind: 'answer', at, payload: { wait, child } }],
        header: dueUnlessSuspended(found.header, at),
        answer: () => undefined,
      };
    },
  });
  return parent;
}
