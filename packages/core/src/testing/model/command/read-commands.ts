import assert from 'node:assert/strict';
import { hashOfId } from '../../../store/commit/seal-id.ts';
import type { IdQuery, LoadQuery, RecordQuery, RunsQuery, SnapshotQuery } from '../../../store/contract/read.ts';
import type { LoadedParts } from '../../../store/open-run.ts';
import { runIds, workerIds } from '../cast.ts';
import type { Command } from '../command.ts';
import type { Dice } from '../dice.ts';
import { type ModelLoad, modelIds, modelLoad, modelRecords, modelRuns, modelSnapshots } from '../model-query.ts';
import type { Session } from '../session.ts';

/** Reads records of a run by range. */
export const readRecords: Command = async (session, dice) => {
  const runId = session.someRun(dice);
  const { head = 1 } = session.model.find(runId)?.header ?? {};
  const after = dice.oneIn(2) ? { after: dice.roll(head + 2) } : {};
  const before = dice.oneIn(3) ? { before: dice.roll(head + 3) } : {};
  const order = dice.pick(['oldest', 'newest'] as const);
  await compareRecords(session, { runId, ...after, ...before, order, limit: dice.pick([1, 2, 1_000]) });
};

/** Reads ids of a run, of records that it has and of those that are gone. */
export const readIds: Command = async (session, dice) => {
  const runId = session.someRun(dice);
  const { head = 1 } = session.model.find(runId)?.header ?? {};
  const one = dice.oneIn(2) ? { id: someId(session, dice) } : {};
  const upTo = dice.oneIn(3) ? { upTo: dice.roll(head + 2) } : {};
  const after = dice.oneIn(3) ? { after: hashOfId(someId(session, dice)) } : {};
  await compareIds(session, { runId, ...one, ...upTo, ...after, limit: dice.pick([1, 2, 1_000]) });
};

/** Reads snapshots of a run. */
export const readSnapshots: Command = async (session, dice) => {
  const runId = session.someRun(dice);
  const { head = 1 } = session.model.find(runId)?.header ?? {};
  const covers = dice.oneIn(2) ? { covers: dice.roll(head + 2) } : {};
  const before = dice.oneIn(3) ? { before: { covers: dice.roll(head + 2), seq: dice.roll(head + 2) } } : {};
  await compareSnapshots(session, {
    runId,
    ...covers,
    ...before,
    limit: dice.pick([1, 2, 1_000]),
    bodies: !dice.oneIn(3),
  });
};

/** Loads a run, as it is or as it was. */
export const loadRun: Command = async (session, dice) => {
  const runId = session.someRun(dice);
  const { head = 1 } = session.model.find(runId)?.header ?? {};
  const upTo = dice.oneIn(2) ? { upTo: dice.roll(head + 2) } : {};
  const before = dice.oneIn(4) ? { before: { covers: dice.roll(head + 2), seq: dice.roll(head + 2) } } : {};
  const id = dice.oneIn(3) ? { id: someId(session, dice) } : {};
  await compareLoad(session, { runId, ...upTo, ...before, ...id, limit: dice.pick([1_000, 2, 1, 0]) });
};

/** Lists runs by some filters together. */
export const readRuns: Command = async (session, dice) => {
  await compareRuns(session, {
    ...someFilters(session, dice),
    order: dice.pick(['oldest', 'newest']),
    limit: dice.pick([1, 2, 1_000]),
  });
};

/** Reads everything. */
export async function compareAll(session: Session): Promise<void> {
  for (const runId of runIds) {
    await compareRuns(session, { runIds: [runId], order: 'oldest', limit: 1 });
    await compareRecords(session, { runId, order: 'oldest', limit: 1_000 });
    await compareSnapshots(session, { runId, limit: 1_000, bodies: true });
    await compareIds(session, { runId, limit: 1_000 });
    await compareLoad(session, { runId, limit: 1_000 });
  }
  await compareRuns(session, { order: 'oldest', limit: 1_000 });
  await compareRuns(session, { hidden: true, order: 'newest', limit: 1_000 });
}

function someFilters(session: Session, dice: Dice): Partial<RunsQuery> {
  const filters: readonly (() => Partial<RunsQuery>)[] = [
    () => ({ runIds: dice.oneIn(2) ? [dice.pick(runIds)] : [dice.pick(runIds), dice.pick(runIds), 'x'] }),
    () => ({ worker: dice.pick(workerIds) }),
    () => ({ status: dice.pick([['running'], ['waiting', 'completed'], ['pending'], ['suspended']]) }),
    () => ({ graph: dice.pick(['flow', 'chat']) }),
    () => ({ node: dice.pick(['one', 'two', 'start']) }),
    () => ({ waits: dice.pick(['ask', 'sleep']) }),
    () => ({ tags: dice.pick([{ team: 'red' }, { stage: '1' }, { team: 'blue', stage: '1' }]) }),
    () => ({ parentId: dice.pick(['r0', 'r1']) }),
    () => ({ forkOf: dice.pick(runIds) }),
    () => ({ idPrefix: dice.pick(['r', 'r1', 'x']) }),
    () => ({ updatedBefore: session.now - dice.roll(3) * 700 }),
    () => ({ hidden: dice.oneIn(2) }),
    () => ({ after: { createdAt: 1_000 + dice.roll(3), runId: dice.pick(runIds) } }),
  ];
  const query: Partial<RunsQuery> = {};
  for (let count = dice.roll(3); count > 0; count -= 1) Object.assign(query, filters[dice.roll(filters.length)]?.());
  return query;
}

async function compareRecords(session: Session, query: RecordQuery): Promise<void> {
  session.note(`records ${JSON.stringify(query)}`);
  const found = await session.persistence.ask((store) => store.records(query));
  assert.deepEqual(found, modelRecords(session.model, query));
}

/** An id that was given out once. */
function someId(session: Session, dice: Dice): string {
  return `id-${1 + dice.roll(session.entries + 1)}`;
}

async function compareIds(session: Session, query: IdQuery): Promise<void> {
  session.note(`ids ${JSON.stringify(query)}`);
  const found = await session.persistence.ask((store) => store.ids(query));
  assert.deepEqual(found, modelIds(session.model, query));
}

async function compareSnapshots(session: Session, query: SnapshotQuery): Promise<void> {
  session.note(`snapshots ${JSON.stringify(query)}`);
  const found = await session.persistence.ask((store) => store.snapshots(query));
  const expected = modelSnapshots(session.model, query).map((snapshot) => ({ ok: true, ...snapshot }));
  assert.deepEqual(found, expected);
}

async function compareRuns(session: Session, query: RunsQuery): Promise<void> {
  session.note(`runs ${JSON.stringify(query)}`);
  const found = await session.persistence.ask((store) => store.runs(query));
  session.sameHeaders(found, modelRuns(session.model, query));
}

async function compareLoad(session: Session, query: LoadQuery): Promise<void> {
  session.note(`load ${JSON.stringify(query)}`);
  const found = await session.persistence.ask((store) => store.load(query));
  sameLoad(session, found, modelLoad(session.model, query));
}

/** Compares a run that was loaded with what the model makes of it. */
export function sameLoad(session: Session, found: LoadedParts | undefined, expected: ModelLoad | undefined): void {
  assert.equal(found === undefined, expected === undefined);
  if (found === undefined || expected === undefined) return;
  session.sameHeaders([found.header, ...found.lineage], [expected.header, ...expected.lineage]);
  const { snapshot, entries, id } = found;
  const { snapshot: expectedSnapshot, entries: expectedEntries, id: expectedId } = expected;
  assert.deepEqual({ snapshot, entries, id }, { snapshot: expectedSnapshot, entries: expectedEntries, id: expectedId });
}
