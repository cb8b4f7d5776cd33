import { HoldfastError } from '../../../src/errors/holdfast-error.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { SnapshotKey } from '../../../src/store/contract/commit.ts';
import type { RunHeader } from '../../../src/store/contract/run.ts';

/** Something that a store kept and that is not what was written. */
interface Corruption {
  readonly where: string;
  readonly what: string;
  /** What was being read. */
  readonly part: string;
}

/** Everything that a store gives to a reader, each thing under its name, and what it said was corrupt. */
export interface ReadAll {
  readonly items: ReadonlyMap<string, string>;
  readonly corruption: readonly Corruption[];
}

const page = 100;

/** The name of what claims gave. */
export const claimsItem = 'claims';

/** The graphs of a complete store, and what its runs are found by. */
const graphs = [{ name: 'order' }, { name: 'graph' }];
const searches = [{ node: 'charge' }, { node: 'review' }, { node: 'plan' }, { tags: { customer: 'c1' } }];

/**
 * Reads everything through the store, and continues past what is corrupt. Ends with claims of a worker of its own, because
 * leases are read in no other way; so it is done on a copy.
 */
export async function readAll(store: CheckedStore): Promise<ReadAll> {
  const reader = new Reader(store);
  for (const hidden of [false, true]) await reader.readRuns(hidden);
  await reader.search();
  await reader.claimAll();
  return { items: reader.items, corruption: reader.corruption };
}

class Reader {
  readonly items = new Map<string, string>();
  readonly corruption: Corruption[] = [];
  readonly #store: CheckedStore;

  constructor(store: CheckedStore) {
    this.#store = store;
  }

  async readRuns(hidden: boolean): Promise<void> {
    await this.#watch(hidden ? 'hidden runs' : 'runs', async () => {
      let after: { readonly createdAt: number; readonly runId: string } | undefined;
      for (;;) {
        const runs = await this.#store.runs({ hidden, order: 'oldest', after, limit: page });
        for (const header of runs) await this.#readRun(header);
        const last = runs.at(-1);
        if (last === undefined || runs.length < page) return;
        after = { createdAt: last.createdAt, runId: last.runId };
      }
    });
  }

  /** Where a run is found has to be told; that it is not found need not, once the corruption is. */
  async search(): Promise<void> {
    for (const query of searches) {
      const name = JSON.stringify(query);
      await this.#watch(name, async () => {
        const runs = await this.#store.runs({ ...query, order: 'oldest', limit: page });
        for (const { runId } of runs) this.items.set(`${runId} by ${name}`, '');
      });
    }
  }

  async claimAll(): Promise<void> {
    await this.#watch(claimsItem, async () => {
      const request = { type: 'due', worker: 'prober', leaseMs: 1_000, graphs, limit: page, takeover: true } as const;
      const { claimed, corrupt } = await this.#store.claim(request);
      this.items.set(claimsItem, stable(claimed.map(({ header }) => [header.runId, header.fence])));
      for (const error of corrupt) this.#met(error, claimsItem);
    });
  }

  async #readRun(header: RunHeader): Promise<void> {
    const { runId } = header;
    this.items.set(`${runId} header`, stable(header));
    await this.#watch(runId, () => this.#readRecords(header));
    await this.#watch(runId, () => this.#readSnapshots(runId));
    await this.#watch(runId, () => this.#readByIds(runId));
  }

  async #readRecords({ runId, head, floor, forkedAt, hidden }: RunHeader): Promise<void> {
    let after = Math.max(floor, forkedAt?.seq ?? 0);
    for (;;) {
      const records = await this.#store.records({ runId, after, order: 'oldest', limit: page });
      for (const record of records) this.items.set(`${runId}@${record.seq}`, stable(record));
      const first = records[0];
      if (first !== undefined && first.seq !== after + 1) this.#found(`${runId}@${after + 1}`, 'the record is missing');
      after = records.at(-1)?.seq ?? after;
      if (records.length < page) break;
    }
    // Of a hidden run the last ones are gone, and the header does not say how many.
    if (after !== head && !hidden) this.#found(`${runId}@${after + 1}`, `the journal ends before its head ${head}`);
  }

  async #readSnapshots(runId: string): Promise<void> {
    let before: SnapshotKey | undefined;
    for (;;) {
      const snapshots = await this.#store.snapshots({ runId, before, limit: page, bodies: true });
      for (const snapshot of snapshots) {
        const name = `${runId} snapshot ${snapshot.covers}/${snapshot.seq}`;
        if (snapshot.ok) this.items.set(name, stable(snapshot));
        else this.#found(placeOf(snapshot.error), snapshot.error.message);
      }
      before = snapshots.at(-1);
      if (before === undefined || snapshots.length < page) return;
    }
  }

  /** An index of ids is read in no other way. */
  async #readByIds(runId: string): Promise<void> {
    for (const id of ['chosen', 'first-turn', 'id-1', 'id-2', 'id-3', 'id-4']) {
      const [known] = await this.#store.ids({ runId, id, limit: 1 });
      if (known !== undefined) this.items.set(`${runId} #${id}`, stable(known));
    }
    for (const known of await this.#store.ids({ runId, limit: 1_000 }))
      this.items.set(`${runId} #${known.id}`, stable(known));
  }

  async #watch(where: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.#met(error, where);
    }
  }

  #met(error: unknown, part: string): void {
    if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT') && !HoldfastError.is(error, 'HOLDFAST_UNKNOWN_FORMAT'))
      throw error;
    this.#found(placeOf(error), `${error.code} ${error.message}`, part);
  }

  #found(where: string, what: string, part = where): void {
    this.corruption.push({ where, what, part });
  }
}

/** Where the error says that the corruption is; empty when it does not. */
function placeOf({ details: { where, run } }: HoldfastError): string {
  if (typeof where === 'string') return where;
  return typeof run === 'string' ? run : '';
}

/** A text that is the same for the same content, whatever the order of members; values that JSON has not are told apart. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
