import { loadRun } from '../../runner/fold/load-run.ts';
import { dueUnlessSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';

interface ChildWake {
  readonly parentId: string;
  readonly wait: string;
  readonly child: string;
}

/** Tells a parent, as an external writer, that its child has ended; a parent that no longer waits for it is left alone. */
export async function wakeParent(
  { store, writer, env }: EngineParts,
  { parentId, wait, child }: ChildWake,
): Promise<void> {
  const there = await store.header(parentId);
  if (there === undefined) return;
  await writer.write(parentId, async (header) => {
    if (header === undefined || header.kind === 'journal') return { done: undefined };
    const { state } = await loadRun(store, header);
    const known = state.waits.get(wait)?.childEnded === true || state.endedChildren.has(wait);
    if (state.end !== undefined || known) return { done: undefined };
    const at = env.clock.now();
    return {
      entries: [{ kind: 'answer', at, payload: { wait, child } }],
      header: dueUnlessSuspended(header, at),
      answer: () => undefined,
    };
  });
}
