import { type Entry, externalKinds, journalKinds } from '../../../record/record.ts';
import type { Commit, NewSnapshot, Writer } from '../../../store/check/check-commit.ts';
import type { SnapshotKey } from '../../../store/contract/commit.ts';
import type { ForkPoint, HeaderState, NewRun } from '../../../store/contract/run.ts';
import { timeStepMs, workerIds } from '../cast.ts';
import type { Command } from '../command.ts';
import type { Dice } from '../dice.ts';
import type { Session } from '../session.ts';

const ownerKinds = ['superstep', 'task', 'result'] as const;
const [externalKind] = [...externalKinds] as ['answer'];
const [journalKind] = [...journalKinds] as ['note'];

/** Creates a run, or tries to where there is one. */
export const createRun: Command = async (session, dice) => {
  const runId = session.someNewRun(dice);
  const commit = creationOf({ session, dice, runId, forkedAt: null });
  session.note(
    `create ${runId}${commit.writer.by === 'creator' && commit.writer.of.kind === 'journal' ? ' as a journal run' : ''}`,
  );
  await session.commit(commit);
};

/** Creates a run on another one, at a place that may or may not be there. */
export const forkRun: Command = async (session, dice) => {
  const runId = session.someNewRun(dice);
  const base = session.someRun(dice);
  const { header, snapshots = [], entries = [] } = session.model.find(base) ?? {};
  const possible = header?.kind === 'journal' ? snapshots : entries;
  const seq =
    dice.oneIn(4) || possible.length === 0
      ? dice.roll((header?.head ?? 1) + 2)
      : dice.pick<SnapshotKey | Entry>(possible).seq;
  session.note(`fork ${runId} from ${base}@${seq}`);
  await session.commit(creationOf({ session, dice, runId, forkedAt: { runId: base, seq } }));
};

/** An owner's commit, with the fence of a lease that may be lost. */
export const commitAsOwner: Command = async (session, dice) => {
  const commit = ownerCommit(session, dice);
  session.note(
    `commit ${commit.runId} after ${commit.expect} with fence ${(commit.writer as { readonly fence: number }).fence}`,
  );
  await session.commit(commit);
};

/** An external writer's commit. */
export const commitAsExternal: Command = async (session, dice) => {
  const commit = externalCommit(session, dice, session.someRun(dice));
  session.note(`commit ${commit.runId} after ${commit.expect} as an external writer`);
  await session.commit(commit);
};

/** A journal run saves a checkpoint, or appends a note. */
export const commitAsJournal: Command = async (session, dice) => {
  const runId = session.someRun(dice);
  const expect = expectation(session, dice, runId);
  const isJournal = session.model.find(runId)?.header.kind !== 'graph';
  const covers = dice.roll(expect + 2);
  const snapshot = isJournal && !dice.oneIn(3) ? newSnapshot(session, covers) : undefined;
  session.note(`commit ${runId} after ${expect} as a journal run${snapshot ? `, covering ${covers}` : ''}`);
  await session.commit({
    runId,
    writer: { by: 'journal' },
    expect,
    entries: [session.newEntry(journalKind, dice.oneIn(3))],
    snapshot,
  });
};

/** Several writers who know the same head at once. */
export const raceForHead: Command = async (session, dice) => {
  const commit = ownerCommit(session, dice);
  const { runId, expect } = commit;
  const rivals = [commit, { ...externalCommit(session, dice, runId), expect }];
  if (dice.oneIn(2)) rivals.push({ ...externalCommit(session, dice, runId), expect });
  session.note(`race ${rivals.length} commits of ${runId} after ${expect}`);
  await session.race(dice.oneIn(2) ? rivals.toReversed() : rivals);
};

/** Several creators of one run at once. */
export const raceToCreate: Command = async (session, dice) => {
  const runId = session.someNewRun(dice);
  session.note(`race 2 creations of ${runId}`);
  await session.race([
    creationOf({ session, dice, runId, forkedAt: null }),
    creationOf({ session, dice, runId, forkedAt: null }),
  ]);
};

/** A commit to every run at once: a group, where the store makes groups. */
export const commitEverywhere: Command = async (session, dice) => {
  session.note('commit every run as an external writer at once');
  const runs = new Set([...session.model.runs.map(({ header }) => header.runId), session.someRun(dice)]);
  await session.race([...runs].map((runId) => externalCommit(session, dice, runId)));
};

interface CreationParts {
  readonly session: Session;
  readonly dice: Dice;
  readonly runId: string;
  readonly forkedAt: ForkPoint | null;
}

function creationOf({ session, dice, runId, forkedAt }: CreationParts): Commit {
  const baseKind = forkedAt === null ? undefined : session.model.find(forkedAt.runId)?.header.kind;
  const kind = baseKind ?? (dice.oneIn(3) ? 'journal' : 'graph');
  const worker = kind === 'journal' || dice.oneIn(3) ? null : dice.pick(workerIds);
  const createdAt = 1_000 + dice.roll(3);
  const [graph, version, parentId] = [dice.pick(['flow', 'chat']), 1 + dice.roll(2), dice.pick([null, 'r0', 'r1'])];
  const of: NewRun = { kind, graph, version, forkedAt, parentId, createdAt, worker };
  const expect = forkedAt?.seq ?? 0;
  const state: HeaderState = {
    status: 'pending',
    superstep: 0,
    frontier: ['start'],
    waits: [],
    wakeAt: null,
    tags: {},
  };
  const header = { ...state, ...headerChange(session, dice), ...(kind === 'journal' ? { wakeAt: null } : {}) };
  const entries = [session.newEntry(journalKind, dice.oneIn(3))];
  const snapshot = dice.oneIn(2) ? newSnapshot(session, expect + 1) : undefined;
  return { runId, writer: { by: 'creator', of }, expect, entries, header, snapshot };
}

function ownerCommit(session: Session, dice: Dice): Commit {
  const runId = session.someRun(dice);
  const leases = session.leases.filter((lease) => lease.runId === runId);
  const lease = dice.oneIn(3) ? leases[dice.roll(Math.max(1, leases.length))] : leases.at(-1);
  const writer: Writer = { by: 'owner', fence: lease?.fence ?? 1, release: dice.oneIn(6) };
  const expect = expectation(session, dice, runId);
  const entries = [session.newEntry(dice.pick(ownerKinds), dice.oneIn(3))];
  if (dice.oneIn(3)) entries.push(session.newEntry('superstep', false));
  const header = headerChange(session, dice);
  const snapshot = dice.oneIn(3) ? newSnapshot(session, expect + entries.length) : undefined;
  return { runId, writer, expect, entries, header, snapshot };
}

function externalCommit(session: Session, dice: Dice, runId: string): Commit {
  const expect = expectation(session, dice, runId);
  const wakeAt = session.model.find(runId)?.header.kind === 'journal' ? {} : { header: { wakeAt: session.now } };
  return {
    runId,
    writer: { by: 'external' },
    expect,
    entries: [session.newEntry(externalKind, dice.oneIn(4))],
    ...wakeAt,
  };
}

/** A commit of any kind. */
export function someCommit(session: Session, dice: Dice): Commit {
  if (dice.oneIn(3)) return creationOf({ session, dice, runId: session.someNewRun(dice), forkedAt: null });
  return dice.oneIn(2) ? ownerCommit(session, dice) : externalCommit(session, dice, session.someRun(dice));
}

/** The head, mostly; sometimes one that was passed or is not reached yet. */
function expectation(session: Session, dice: Dice, runId: string): number {
  const head = session.model.find(runId)?.header.head ?? 0;
  return dice.oneIn(8) ? Math.max(0, head + dice.pick([-1, 1, -2])) : head;
}

function newSnapshot(session: Session, covers: number): NewSnapshot {
  return { covers, head: { made: session.entries }, body: { state: session.entries } };
}

function headerChange(session: Session, dice: Dice): Partial<HeaderState> {
  const change: { -readonly [K in keyof HeaderState]?: HeaderState[K] } = {};
  if (dice.oneIn(2)) change.status = dice.pick(['running', 'waiting', 'completed', 'suspended']);
  if (dice.oneIn(4)) change.superstep = dice.roll(9);
  if (dice.oneIn(4)) change.frontier = dice.pick([[], ['one'], ['one', 'two']]);
  if (dice.oneIn(4)) change.tags = dice.pick([{}, { team: 'red' }, { team: 'blue', stage: '1' }]);
  if (dice.oneIn(2)) change.wakeAt = dice.pick([session.now, session.now - 1, session.now + timeStepMs, null]);
  if (dice.oneIn(6)) change.waits = [{ id: 'w', kind: dice.pick(['ask', 'sleep']), name: 'n', node: 'one', since: 1 }];
  return change;
}
