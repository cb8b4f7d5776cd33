import { loadRun } from '../../runner/fold/load-run.ts';
import type { EngineParts } from '../parts.ts';

interface ChildWake {
  readonly parent: string;
  readonly wait: string;
  readonly child: string;
}

/** Tells a parent, as a guest, that its child has ended; a parent that no longer waits for it is left alone. */
export async function wakeParent(
  { store, writer, env }: EngineParts,
  { parent, wait, child }: ChildWake,
): Promise<void> {
  const there = await store.header(parent);
  if (there === undefined) return;
  await writer.write(parent, async (header) => {
    if (header === undefined || header.loop) return { done: undefined };
    const { state } = await loadRun(store, header);
    const known = state.waits.get(wait)?.childEnded === true || state.endedChildren.has(wait);
    if (state.end !== undefined || known) return { done: undefined };
    const at = env.clock.now();
    return {
      entries: [{ kind: 'answer', at, payload: { wait, child } }],
      header: { wakeAt: at },
      answer: () => undefined,
    };
  });
}
