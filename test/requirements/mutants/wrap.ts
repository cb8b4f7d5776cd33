// Ways to break the product at the seams that many mutants share.
import type { CheckpointHead, Listing, Store } from 'holdfast';
import type { StoreDriver } from 'holdfast/store';
import { driverAbove } from '../driver-above.ts';
import { change, type Mutant, mutant, type Seam, type StoreName } from '../mutant.ts';
import {
  type Checkpoint,
  type Checkpoints,
  type Entry,
  type ErrorCode,
  type ErrorDetails,
  type GivenCheckpoint,
  type Journals,
  type RunState,
  seams,
} from '../seams.ts';

/** What a seam is. */
export type Original<S> = S extends Seam<infer F> ? F : never;

type CheckpointsOptions = Parameters<Original<typeof seams.createCheckpoints>>[0];
type JournalsOptions = Parameters<Original<typeof seams.createJournals>>[0];

/** `engine.checkpoints` with some of its methods done differently. */
export function brokenCheckpoints(
  breaks: string,
  methods: (checkpoints: Checkpoints, options: CheckpointsOptions) => Partial<Checkpoints>,
): Mutant {
  const broken = change(seams.createCheckpoints, (create) => (options) => {
    const checkpoints = create(options);
    return { ...checkpoints, ...methods(checkpoints, options) };
  });
  return mutant(breaks, broken);
}

/** `engine.journal` with some of its methods done differently. */
export function brokenJournal(
  breaks: string,
  methods: (journal: Journals, options: JournalsOptions) => Partial<Journals>,
): Mutant {
  const broken = change(seams.createJournals, (create) => (options) => {
    const journal = create(options);
    return { ...journal, ...methods(journal, options) };
  });
  return mutant(breaks, broken);
}

/** Something else is saved than was given. */
export function brokenSave(breaks: string, saved: (given: GivenCheckpoint) => Partial<GivenCheckpoint>): Mutant {
  const broken = change(seams.checkNewCheckpoint, (check) => (checkpoint, options) => {
    const given = check(checkpoint, options);
    return { ...given, ...saved(given) };
  });
  return mutant(breaks, broken);
}

/** A record of a graph run is taken in as another one, or leaves something else behind. */
export function brokenFold(breaks: string, { record = (entry) => entry, after = () => {} }: BrokenFold): Mutant {
  const broken = change(seams.foldRecord, (fold) => (state, entry, values) => {
    const read = record(entry);
    if (read === undefined) state.head = entry.seq;
    else fold(state, read, values);
    after(state, entry, values === undefined);
  });
  return mutant(breaks, broken);
}

interface BrokenFold {
  /** The record that is folded instead; undefined: none. */
  readonly record?: (entry: Entry) => Entry | undefined;
  /** What happens to the state afterwards; `isRead`: the record came from the journal, and not from who wrote it. */
  readonly after?: (state: RunState, entry: Entry, isRead: boolean) => void;
}

/** The payload of an entry with other fields. */
export function withPayload(entry: Entry, fields: Readonly<Record<string, unknown>>): Entry {
  return { ...entry, payload: { ...(entry.payload as object), ...fields } };
}

/** A store with some of its driver's methods done differently; the tests on that store have to notice. */
export function brokenDriver(
  store: StoreName,
  breaks: string,
  calls: (driver: StoreDriver) => Partial<StoreDriver>,
): Mutant {
  const changes = {
    memory: () => change(seams.memoryStore, storesAbove(calls)),
    file: () => change(seams.fileStore, storesAbove(calls)),
    sqlite: () => change(seams.sqliteStore, storesAbove(calls)),
  };
  return { ...mutant(breaks, changes[store]()), store };
}

function storesAbove(calls: (driver: StoreDriver) => Partial<StoreDriver>) {
  return <Args extends unknown[]>(make: (...args: Args) => Store) =>
    (...args: Args): Store =>
      driverAbove(make(...args), calls);
}

/** What the call gives, or what is made of its refusal with this code. */
export async function orElse<T>(
  call: () => Promise<T>,
  code: ErrorCode,
  made: (details: ErrorDetails) => T | Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const refusal = error as { readonly code?: ErrorCode; readonly details?: ErrorDetails };
    if (refusal.code !== code) throw error;
    return made(refusal.details ?? {});
  }
}

/** All that an iterable gives. */
export async function listed<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A `list` that is broken in the same way with states and without. */
export function listing(
  list: (runId: string, options?: Parameters<Checkpoints['list']>[1]) => AsyncIterable<CheckpointHead>,
): Checkpoints['list'] {
  const broken: (...args: Parameters<typeof list>) => Listing<CheckpointHead> = (runId, options) => {
    const all = () => listed(list(runId, options));
    return {
      [Symbol.asyncIterator]: () => list(runId, options)[Symbol.asyncIterator](),
      toArray: async () => [...(await all())],
      first: async () => (await all())[0],
      find: async (test) => (await all()).find(test),
    };
  };
  return broken as Checkpoints['list'];
}

/** The first of a run's checkpoints in another order. */
export async function firstBy<T extends { readonly id: string }>(
  checkpoints: Checkpoints,
  heads: AsyncIterable<T>,
  compare: (a: T, b: T) => number,
): Promise<Awaited<ReturnType<Checkpoints['load']>>> {
  const [first] = (await listed(heads)).toSorted(compare);
  return first === undefined ? undefined : checkpoints.load(first.id);
}

/** A checkpoint that nobody saved. */
export function emptyCheckpoint(runId: string): Checkpoint {
  const place = { id: `${runId}@0`, runId, seq: 0, covers: 0, superstep: 0, parentId: null };
  const metadata = { version: 1, inFlightTasks: 0 };
  return { ...place, graph: '', label: '', next: [], status: 'running', at: new Date(0), state: {}, metadata };
}
