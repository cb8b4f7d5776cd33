import assert from 'node:assert/strict';
import type { LoadQuery, RecordQuery, RunsQuery, SnapshotQuery } from '../../../store/contract/read.ts';
import type { LoadedParts } from '../../../store/open-run.ts';
import { runIds, workerIds } from '../cast.ts';
import type { Command } from '../command.ts';
import type { Dice } from '../dice.ts';
import { type ModelLoad, modelLoad, modelRecords, modelRuns, modelSnapshots } from '../model-query.ts';
import type { Session } from '../session.ts';

/** Reads records of a run by range or by id. */
export const readRecords: Command = async (session, dice) => {
  const runId = session.someRun(dice);
  const { head = 1 } = session.model.find(runId)?.header ?? {};
  const byId = dice.oneIn(3) ? { id: `id-${1 + dice.roll(session.entries + 1)}` } : {};
  const after = dice.oneIn(2) ? { after: dice.roll(head + 2) } : {};
  const before = dice.oneIn(3) ? { before: dice.roll(head + 3) } : {};
  const order = dice.pick(['oldest', 'newest'] as const);
  await compareRecords(session, { runId, ...byId, ...after, ...before, order, limit: dice.pick([1, 2, 1_000]) });
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
  await compareLoad(session, { runId, ...upTo, ...before, limit: dice.pick([1_000, 2, 1, 0]) });
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
  const { snapshot, entries } = found;
  assert.deepEqual({ snapshot, entries }, { snapshot: expected.snapshot, entries: expected.entries });
}
