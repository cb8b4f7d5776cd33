import type { AnyGraph, Engine, Graph, Shape } from 'holdfast';
import type { Place } from './every-place.ts';

/** Starts a run under the first graph, and opens the store with others once it waits. */
export async function deployed(
  here: Place,
  first: Graph<Shape>,
  graphs: readonly AnyGraph[],
  options: { readonly pauseBefore?: readonly string[]; readonly pauseAfter?: readonly string[] } = {},
): Promise<Engine> {
  const before = await here.open();
  await (await before.start(first, {}, { id: 'r', ...options })).outcome();
  await before.close();
  return here.open({ graphs: [...graphs] });
}

/** What is in the journal, so that a test can say that nothing was written. */
export async function headOf(engine: Engine): Promise<number> {
  return (await (await engine.get('r')).summary()).head;
}
