import { nodeEnv } from '../../../src/env/node-env.ts';
import { allRuns } from '../../../src/journal/all-runs.ts';
import { ownCheckpoints } from '../../../src/journal/checkpoint/checkpoint-index.ts';
import { restoreFrozen } from '../../../src/journal/checkpoint/restore-state.ts';
import { headOf } from '../../../src/journal/checkpoint/saved-checkpoint.ts';
import { verifyStore } from '../../../src/journal/verify.ts';
import { encodeEntry } from '../../../src/record/record-codec.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { RunHeader } from '../../../src/store/contract/run.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { encodeOwn } from '../../../src/value/codec/codec.ts';

/** All that a store has of a run, as texts that can be compared. */
export interface RunPicture {
  readonly header: string;
  readonly records: readonly string[];
  readonly snapshots: readonly string[];
}

/** What a store holds, by run. */
export type Picture = ReadonlyMap<string, RunPicture>;

/** All that can be seen of a store. */
export interface StoreLook {
  /** Everything but for leases and tokens; drafts are nothing. */
  readonly picture: Picture;
  readonly corruption: readonly string[];
  readonly drafts: readonly string[];
}

/** Reads a store from end to end. */
export async function lookAt(store: Store): Promise<StoreLook> {
  const opened = await openStore(store, nodeEnv);
  try {
    const picture = new Map<string, RunPicture>();
    const drafts: string[] = [];
    for (const hidden of [false, true]) {
      for await (const header of allRuns(opened, { hidden })) {
        if (header.draft === true) drafts.push(header.runId);
        else picture.set(header.runId, await pictureOfRun(opened, header));
      }
    }
    const corruption = (await verifyStore(opened)).corruption.map(({ where, what }) => `${where}: ${what}`);
    return { picture, corruption, drafts };
  } finally {
    await opened.close();
  }
}

/** What a store holds; if only what is seen is asked for, without hidden runs. */
export async function pictureOf(store: Store, { hidden = true } = {}): Promise<Picture> {
  const { picture } = await lookAt(store);
  return hidden ? picture : new Map([...picture].filter(([, { header }]) => header.includes('"hidden":false')));
}

async function pictureOfRun(store: CheckedStore, header: RunHeader): Promise<RunPicture> {
  const { runId } = header;
  const records = await store.records({ runId, order: 'oldest', limit: 1_000 });
  // Of a deleted run only what its forks stand on goes along.
  const head = header.hidden ? (records.at(-1)?.seq ?? header.floor) : header.head;
  return {
    header: JSON.stringify(sorted({ ...header, head })),
    records: records.map((entry) => `${entry.seq} ${encodeEntry(entry)}`),
    snapshots: header.kind === 'journal' ? await checkpointsOf(store, runId) : await snapshotsOf(store, runId),
  };
}

async function snapshotsOf(store: CheckedStore, runId: string): Promise<readonly string[]> {
  const snapshots = await store.snapshots({ runId, limit: 1_000, bodies: true });
  return snapshots.map((snapshot) => encodeOwn(snapshot));
}

/** What they say, not how: pruning stores a checkpoint again before it drops the one that it was stored as a change of. */
async function checkpointsOf(store: CheckedStore, runId: string): Promise<readonly string[]> {
  const { checkpoints, corrupt } = await ownCheckpoints(store, runId);
  const found = corrupt.map(({ covers, seq }) => `${covers}@${seq} is corrupt`);
  for (const { placed } of checkpoints) {
    found.push(encodeOwn({ ...headOf(placed), state: await restoreFrozen(store, placed) }));
  }
  return found;
}

/** What does not go along. */
const leases: ReadonlySet<string> = new Set(['token', 'fence', 'claims', 'worker']);

function sorted(fields: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(fields).filter(([name]) => !leases.has(name));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is wrong in a store: corruption, and drafts that should be gone. */
export async function wrongIn(store: Store): Promise<readonly string[]> {
  const { corruption, drafts } = await lookAt(store);
  return [...corruption, ...drafts.map((runId) => `${runId} is a draft still`)];
}
