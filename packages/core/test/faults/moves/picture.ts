import { nodeEnv } from '../../../src/env/node-env.ts';
import { allRuns } from '../../../src/journal/all-runs.ts';
import { verifyStore } from '../../../src/journal/verify.ts';
import { encodeEntry } from '../../../src/record/record-codec.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { RunHeader } from '../../../src/store/contract.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { encodeOwn } from '../../../src/value/codec.ts';

/** All that a store has of a run, as texts that can be compared. */
export interface RunPicture {
  readonly header: string;
  readonly records: readonly string[];
  readonly snapshots: readonly string[];
}

/** What a store holds, by run. */
export type Picture = ReadonlyMap<string, RunPicture>;

interface PictureOptions {
  /** Also of runs that are hidden. */
  readonly hidden?: boolean | undefined;
}

/** Everything in a store but for leases and tokens; drafts are nothing. */
export async function pictureOf(store: Store, { hidden = true }: PictureOptions = {}): Promise<Picture> {
  const opened = await openStore(store, nodeEnv);
  try {
    const found = new Map<string, RunPicture>();
    for (const isHidden of hidden ? [false, true] : [false]) {
      for await (const header of allRuns(opened, { hidden: isHidden })) {
        if (header.draft !== true) found.set(header.run, await pictureOfRun(opened, header));
      }
    }
    return found;
  } finally {
    await opened.close();
  }
}

async function pictureOfRun(store: CheckedStore, header: RunHeader): Promise<RunPicture> {
  const { run } = header;
  const records = await store.records({ run, order: 'oldest', limit: 1_000 });
  const snapshots = await store.snapshots({ run, limit: 1_000, bodies: true });
  const { token: _, fence: __, claims: ___, worker: ____, ...rest } = header;
  // Of a deleted run only what its forks stand on goes along.
  const head = header.hidden ? (records.at(-1)?.seq ?? header.floor) : header.head;
  return {
    header: JSON.stringify(sorted({ ...rest, head })),
    records: records.map((entry) => `${entry.seq} ${encodeEntry(entry)}`),
    snapshots: snapshots.map((snapshot) => encodeOwn(snapshot)),
  };
}

function sorted(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is wrong in a store: damage, and drafts that should be gone. */
export async function wrongIn(store: Store, { drafts = false } = {}): Promise<readonly string[]> {
  const opened = await openStore(store, nodeEnv);
  try {
    const wrong = (await verifyStore(opened)).damage.map(({ where, what }) => `${where}: ${what}`);
    for await (const { run, draft } of allRuns(opened, { hidden: true })) {
      if (draft === true && !drafts) wrong.push(`${run} is a draft still`);
    }
    return wrong;
  } finally {
    await opened.close();
  }
}
