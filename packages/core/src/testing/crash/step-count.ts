import type { RunEvent } from '../../engine/graph-run.ts';
import type { JournalRecord } from '../../journal/journal-record.ts';

/** How often something happened to each step of each task, by `task step`. */
export type StepCount = Map<string, number>;

/** Counts a step that begins. Tries after a failure are not new beginnings. */
export function countBeginning(begun: StepCount, event: RunEvent): void {
  if (event.type === 'step-start' && event.attempt === 1) add(begun, `${event.task} ${event.step}`);
}

/** The steps whose end is in the journal. */
export async function finishedSteps(records: AsyncIterable<JournalRecord>): Promise<StepCount> {
  const finished: StepCount = new Map();
  let superStep = 1;
  for await (const { kind, payload } of records) {
    if (kind === 'superstep') superStep += 1;
    if (kind !== 'result') continue;
    const { node, item, name } = payload as { readonly node: string; readonly item?: number; readonly name: string };
    add(finished, `${superStep}/${item === undefined ? node : `${node}/${item}`} ${name}`);
  }
  return finished;
}

/** The name of the step that a key of the count is for. */
export function stepOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function add(counts: StepCount, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
