import { openEngine } from '../../src/engine/open.ts';
import { nodeEnv } from '../../src/env/node-env.ts';
import { recordKinds } from '../../src/record/record.ts';
import type { Batch, Sealed, StoredRecord, StoredSnapshot } from '../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import { type RunHeader, runStatuses } from '../../src/store/contract/run.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { openDriver, type Store } from '../../src/store/store.ts';
import { formatCursor } from '../../src/value/cursor.ts';
import { checksum } from '../../src/value/hash/checksum.ts';
import { graphs, populate } from '../faults/moves/population.ts';
import { type StoreName, withStore } from './case-place.ts';
import type { Finding } from './finding.ts';
import { hostileText, mutateJson, pick, type Random } from './hostile-json.ts';
import { samplePayloads } from './sample-records.ts';
import { useStore } from './use-store.ts';

type Json = Record<string, unknown>;

/** A snapshot, decoded as JSON. */
interface PlainSnapshot {
  readonly covers: number;
  readonly seq: number;
  readonly head: unknown;
  readonly body: unknown;
}

/** A run as it lies in a store, with its texts as JSON. */
export interface PlainRun {
  readonly header: RunHeader;
  readonly records: readonly Json[];
  readonly snapshots: readonly PlainSnapshot[];
}

/** Reads every run of a store with runs of every kind, as the driver keeps it. */
export async function realRuns(): Promise<readonly PlainRun[]> {
  const store = memoryStore();
  await using engine = await openEngine(store, { graphs });
  await populate(engine);
  return readRuns(store);
}

/** Every run of a store, as its driver keeps it. */
export async function readRuns(store: Store): Promise<readonly PlainRun[]> {
  const driver = await openDriver(store, nodeEnv);
  const runs: PlainRun[] = [];
  for (const hidden of [false, true]) {
    const { headers } = await driver.runs({ hidden, order: 'oldest', limit: 1_000 });
    for (const header of headers) runs.push(await plainRun(driver, header));
  }
  return runs;
}

async function plainRun(driver: StoreDriver, header: RunHeader): Promise<PlainRun> {
  const { runId } = header;
  const records = await driver.records({ runId, order: 'oldest', limit: 1_000 });
  const snapshots = await driver.snapshots({ runId, limit: 1_000, bodies: true });
  return {
    header,
    records: records.map(({ text }) => jsonOf(text) as Json),
    snapshots: snapshots
      .map(({ covers, seq, head, body }) => ({ covers, seq, head: jsonOf(head.text), body: jsonOf(body?.text ?? '') }))
      .toReversed(),
  };
}

/** A text of the codec is a format character followed by JSON; a missing value has none. */
function jsonOf(text: string): unknown {
  return text.length > 1 ? (JSON.parse(text.slice(1)) as unknown) : undefined;
}

/** Makes the texts that are stored, with good checksums. */
export interface Sealer {
  readonly record: (place: RecordPlace, record: Json) => Sealed;
  /** The head or the body of a snapshot. */
  readonly part: (where: string, value: unknown) => Sealed;
}

interface RecordPlace {
  readonly where: string;
  readonly runId: string;
  readonly seq: number;
}

function sealed(place: string, value: unknown): Sealed {
  const text = `j${hostileText(value)}`;
  return { text, crc: checksum(place, text) };
}

const plainSealer: Sealer = { record: ({ where }, record) => sealed(where, record), part: sealed };

/** Writes runs that were tampered with, with good checksums, and uses the store afterwards. */
export async function recordCase(
  runs: readonly PlainRun[],
  random: Random,
  name: StoreName,
): Promise<readonly Finding[]> {
  return withStore(name, async (store) => {
    await writeRuns(store, changedRuns(runs, random));
    return useStore(store, random);
  });
}

type ChangeRecord = (record: Json) => Json;

/** One of the runs, changed, and the runs that it is related to, in the order in which they can be written. */
export function changedRuns(
  runs: readonly PlainRun[],
  random: Random,
  changeRecord: ChangeRecord = (record) => mutateRecord(record, random),
): readonly PlainRun[] {
  const target = pick(random, runs);
  let hostile = target;
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1)
    hostile = changeRun(hostile, { runs, random, changeRecord });
  const circle = random() < 0.1;
  if (circle) hostile = { ...hostile, header: { ...hostile.header, parentId: hostile.header.runId } };
  const others = relativesOf(target, runs).map((run) => (circle ? childOf(run, hostile) : run));
  return [...others.filter(isBefore(target)), hostile, ...others.filter((run) => !isBefore(target)(run))];
}

function childOf(run: PlainRun, parent: PlainRun): PlainRun {
  return { ...run, header: { ...run.header, parentId: parent.header.runId } };
}

/** Forks come after what they were forked from. */
function isBefore(target: PlainRun): (run: PlainRun) => boolean {
  return (run) => run.header.forkedAt?.runId !== target.header.runId;
}

/** The runs that a run was forked from, the children and the parent of it; those first that others are forked from. */
export function relativesOf({ header }: PlainRun, runs: readonly PlainRun[]): readonly PlainRun[] {
  const bases: PlainRun[] = [];
  for (let at = header.forkedAt; at !== null; ) {
    const base = runs.find((run) => run.header.runId === at?.runId);
    if (base === undefined) break;
    bases.unshift(base);
    at = base.header.forkedAt;
  }
  const family = runs.filter(
    ({ header: { runId, parentId } }) => parentId === header.runId || runId === header.parentId,
  );
  return [...bases, ...family];
}

interface ChangeOptions {
  readonly runs: readonly PlainRun[];
  readonly random: Random;
  readonly changeRecord: ChangeRecord;
}

function changeRun(run: PlainRun, { runs, random, changeRecord }: ChangeOptions): PlainRun {
  const { header, records, snapshots } = run;
  const at = Math.floor(random() * records.length);
  const change = random();
  if (change < 0.15 && snapshots.length > 0) {
    const which = Math.floor(random() * snapshots.length);
    return { ...run, snapshots: snapshots.with(which, mutateSnapshot(snapshots[which] as PlainSnapshot, random)) };
  }
  if (change < 0.25) return { ...run, header: claimable(header, random) };
  if (records.length === 0) return run;
  const record = records[at] as Json;
  if (change < 0.5) return { ...run, records: records.with(at, changeRecord(record)) };
  if (change < 0.55) return { ...run, records: records.with(at, { ...record, kind: pick(random, recordKinds) }) };
  if (change < 0.6) return { ...run, records: records.toSpliced(at, 1) };
  const source = newRecord(record, runs, random);
  if (change < 0.75) return { ...run, records: records.toSpliced(at, 0, source) };
  return { ...run, records: [...records, source] };
}

/** A record to put among the others: a copy, one of another run, or one of any kind; as it is, or mutated. */
function newRecord(record: Json, runs: readonly PlainRun[], random: Random): Json {
  const kind = pick(random, recordKinds);
  const sample: Json = { v: 1, kind, at: 1, payload: pick(random, samplePayloads[kind]) };
  const chosen = pick(random, [record, pick(random, pick(random, runs).records) ?? record, sample, sample, sample]);
  return random() < 0.4 ? chosen : mutateRecord(chosen, random);
}

/** A header that says that there is something to do, whatever the records say. */
function claimable(header: RunHeader, random: Random): RunHeader {
  const status = pick(random, runStatuses);
  const frontier = pick(random, [header.frontier, [], ['count'], ['main'], ['ghost', 'ghost']]);
  // A journal run is never claimed.
  const wakeAt = header.kind === 'journal' ? null : pick(random, [null, 1, 1, 1, 8.64e15]);
  return { ...header, status, frontier, wakeAt, superstep: pick(random, [header.superstep, 0, 2 ** 40]) };
}

/** Mostly the payload: the rest is checked for every kind alike. */
function mutateRecord(record: Json, random: Random): Json {
  if (random() < 0.2) return mutateJson(record, random);
  return { ...record, payload: mutateJson(record['payload'] ?? {}, random) };
}

function mutateSnapshot(snapshot: PlainSnapshot, random: Random): PlainSnapshot {
  return random() < 0.5
    ? { ...snapshot, head: mutateJson(snapshot.head ?? {}, random) }
    : { ...snapshot, body: mutateJson(snapshot.body ?? {}, random) };
}

/** Writes them as a copy is written. A driver looks into none of it. */
export async function writeRuns(store: Store, runs: readonly PlainRun[], sealer: Sealer = plainSealer): Promise<void> {
  const driver = await openDriver(store, nodeEnv);
  for (const run of runs) for (const batch of batchesOf(run, sealer)) await driver.commit([batch]);
  await driver.close();
}

function batchesOf({ header, records, snapshots }: PlainRun, sealer: Sealer): readonly Batch[] {
  const { runId, kind, graph, version, forkedAt, parentId, createdAt, updatedAt, floor, hidden } = header;
  const { status, superstep, frontier, waits, wakeAt, tags } = header;
  const begin = Math.max(floor, forkedAt?.seq ?? 0);
  const head = begin + records.length;
  const state = { status, superstep, frontier, waits, wakeAt, tags };
  const part = {
    runId,
    epoch: 0,
    fence: null,
    create: null,
    records: [],
    ids: [],
    snapshot: null,
    release: false,
    at: updatedAt,
  };
  const copy = { floor, end: null };
  const sealedRecords = records.map((record, index): StoredRecord => {
    const seq = begin + index + 1;
    return { seq, ...sealer.record({ where: formatCursor(runId, seq), runId, seq }, record) };
  });
  const fitting = snapshots.filter(({ seq }) => seq <= head);
  return [
    {
      ...part,
      token: `${runId} begin`,
      expect: begin,
      create: { kind, graph, version, forkedAt, parentId, createdAt, worker: null },
      header: state,
      copy,
    },
    { ...part, token: `${runId} records`, expect: begin, records: sealedRecords, header: {}, copy },
    ...fitting.map((snapshot) => ({
      ...part,
      token: `${runId} snapshot ${snapshot.seq}`,
      expect: head,
      header: {},
      snapshot: sealSnapshot(runId, snapshot, sealer),
      copy,
    })),
    { ...part, token: `${runId} end`, expect: head, header: state, copy: { floor, end: hidden ? 'hidden' : 'seen' } },
  ];
}

function sealSnapshot(runId: string, { covers, seq, head, body }: PlainSnapshot, { part }: Sealer): StoredSnapshot {
  const place = `${formatCursor(runId, seq)} snapshot of ${covers}`;
  return { covers, seq, head: part(`${place} head`, head), body: part(`${place} body`, body) };
}
