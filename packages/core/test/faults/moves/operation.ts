import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../../src/engine/open.ts';
import type { StoreUrl } from '../../../src/engine/store-at.ts';
import { promote } from '../../../src/engine/transfer/promote.ts';

/** What moves or takes away whole runs. */
export const operations = ['prune', 'delete', 'import', 'promote'] as const;
export type Operation = (typeof operations)[number];

/** Which store is changed. */
export type StoreKind = 'file' | 'sqlite';

/** Where things are: everything in one folder. */
export interface Place {
  readonly folder: string;
  readonly store: StoreKind;
}

/** The store that runs come from, or are in. */
export function sourceUrl({ folder, store }: Place): StoreUrl {
  return urlOf(store, join(folder, 'source'));
}

/** The store that runs come to. */
export function targetUrl({ folder, store }: Place): StoreUrl {
  return urlOf(store, join(folder, 'target'));
}

function urlOf(store: StoreKind, path: string): StoreUrl {
  return store === 'file' ? `file:${path}` : `sqlite:${path}/runs.db`;
}

/** The store that the operation changes. */
export function changedUrl(operation: Operation, place: Place): StoreUrl {
  return operation === 'import' || operation === 'promote' ? targetUrl(place) : sourceUrl(place);
}

/** The runs whose files are imported. */
export const importedRuns = ['fork-of-fork', 'mother', 'trimmed', 'loop-fork', 'orphan', 'chat', 'waiting', 'sleeping'];

/** The runs that are deleted: bases with forks, forks, parents, loops. */
export const deletedRuns = [
  'done-0',
  'mother',
  'fork-of-fork',
  'orphan',
  'loop',
  'chat',
  'done-1',
  'trimmed',
  'done-2',
];

/** Where the file of a run lies. */
export function fileOf({ folder }: Place, runId: string): string {
  return join(folder, 'files', `${runId}.jsonl`);
}

/** Does it all; calling it again completes what was broken off. `onReady` is called when nothing has been changed yet. */
export async function carryOut(operation: Operation, place: Place, onReady: () => void = () => {}): Promise<void> {
  if (operation === 'promote') {
    onReady();
    await promote(sourceUrl(place), targetUrl(place));
    return;
  }
  await using engine = await openEngine(changedUrl(operation, place), { executes: false });
  onReady();
  if (operation === 'prune') await engine.prune({ keep: 1 });
  if (operation === 'delete') for (const runId of deletedRuns) await engine.delete(runId);
  if (operation === 'import') {
    for (const runId of importedRuns) await engine.import(createReadStream(fileOf(place, runId)));
  }
}
