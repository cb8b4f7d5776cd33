import type { CheckedStore } from '../../packages/core/src/store/checked-store.ts';
import type { WaitHead } from '../../packages/core/src/store/contract/run.ts';
import { createRun, type RunParts } from './graph-runs.ts';

const atOnce = 5_000;
/** Runs that a worker holds, as many as a few busy ones do; nobody works on the others. */
export const heldRuns = 1_000;

function waitOf(kind: WaitHead['kind'], node: string): readonly WaitHead[] {
  return [{ id: 'w1', kind, name: kind, node, since: 1 }];
}

const farAway = 4_000_000_000_000;
const completed: RunParts = { status: 'completed', frontier: [], wakeAt: null };
const asking: RunParts = {
  status: 'waiting',
  frontier: ['review'],
  waits: waitOf('ask', 'review'),
  wakeAt: null,
};
const sleeping: RunParts = {
  status: 'waiting',
  frontier: ['charge', 'remind'],
  waits: waitOf('sleep', 'remind'),
  wakeAt: farAway,
};
const failed: RunParts = { status: 'failed', frontier: ['charge'], wakeAt: null };
const pending: RunParts = { status: 'pending', frontier: ['collect'] };

/** How many of a hundred runs are so, as a store looks after months. */
const shares: readonly (readonly [percent: number, parts: RunParts])[] = [
  [60, completed],
  [20, asking],
  [10, sleeping],
  [5, failed],
  [5, pending],
];

/** The shares in words. */
export const population: string = shares
  .map(([percent, { status, frontier }]) => [`${percent}% ${status}`, ...(frontier ?? [])].join(' '))
  .join(', ');

/** A run a second, the last one not long ago. */
const betweenRunsMs = 1_000;

/** Fills a store with so many runs, a thousand customers' of ten graphs. */
export async function fillRuns(store: CheckedStore, total: number): Promise<void> {
  const first = Date.now() - total * betweenRunsMs;
  await inGroups(total, (index) => {
    const createdAt = first + index * betweenRunsMs;
    return createRun(store, `run-${index}`, { ...partsOf(index, total), createdAt });
  });
}

/** Adds runs that worker `w` holds, all of them. */
export async function addHeldRuns(store: CheckedStore, count: number): Promise<void> {
  await inGroups(count, (index) => createRun(store, `held-${index}`));
}

async function inGroups(total: number, call: (index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < total; from += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, total - from) }, (_, at) => from + at);
    await Promise.all(indexes.map(call));
  }
}

function partsOf(index: number, total: number): RunParts {
  const tags = { customer: `c-${index % 1_000}`, plan: index % 2 ? 'free' : 'paid' };
  const graph = `graph-${index % 10}`;
  if (index % (total / heldRuns) === 0) return { graph, tags, frontier: ['collect'] };
  return { graph, tags, worker: null, ...stateOf(scattered(index) % 100) };
}

/** So that neither a customer nor a graph has runs of one state only. */
function scattered(index: number): number {
  return Math.imul(index + 1, 0x9e3779b1) >>> 8;
}

function stateOf(percent: number): RunParts {
  let below = 0;
  for (const [share, parts] of shares) {
    below += share;
    if (percent < below) return parts;
  }
  return completed;
}
