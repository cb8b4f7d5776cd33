import type { HeaderState, NewRun } from '../contract/run.ts';

/** NUL ends a text in some stores; half of a surrogate pair is no text in others. */
const unstorable = /[\0\p{Cs}]/u;

/** The first text of a header that some store could not keep as it is. Names come from the engine, which checks them; this is for whoever writes without it. */
export function unstorableText(
  { frontier, waits, tags }: Partial<HeaderState>,
  graph: NewRun['graph'] | undefined,
): string | undefined {
  if (graph !== undefined && unstorable.test(graph)) return graph;
  // No array of all of them: this runs for every commit.
  for (const node of frontier ?? []) if (unstorable.test(node)) return node;
  for (const { id, name, node } of waits ?? []) {
    for (const text of [id, name, node]) if (unstorable.test(text)) return text;
  }
  for (const tag in tags) {
    for (const text of [tag, tags[tag] ?? '']) if (unstorable.test(text)) return text;
  }
  return undefined;
}
