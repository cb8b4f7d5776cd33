import { type Entry, guestKinds, loopKinds } from '../../record/record.ts';
import type { Commit, NewSnapshot, Writer } from '../../store/check/check-commit.ts';
import type { Base, HeaderState, NewRun, SnapshotKey } from '../../store/contract.ts';
import { timeStepMs, workerIds } from './cast.ts';
import type { Command } from './command.ts';
import type { Dice } from './dice.ts';
import type { Session } from './session.ts';

const ownerKinds = ['step', 'task', 'result'] as const;
const [guestKind] = [...guestKinds] as ['answer'];
const [loopKind] = [...loopKinds] as ['note'];

/** Creates a run, or tries to where there is one. */
export const createRun: Command = async (session, dice) => {
  const run = session.someNewRun(dice);
  const commit = creationOf({ session, dice, run, base: null });
  session.note(`create ${run}${commit.writer.by === 'creator' && commit.writer.of.loop ? ' as an own loop' : ''}`);
  await session.commit(commit);
};

/** Creates a run on another one, at a place that may or may not be there. */
export const forkRun: Command = async (session, dice) => {
  const run = session.someNewRun(dice);
  const base = session.someRun(dice);
  const { header, snapshots = [], entries = [] } = session.model.find(base) ?? {};
  const possible = header?.loop ? snapshots : entries;
  const seq =
    dice.oneIn(4) || possible.length === 0
      ? dice.roll((header?.head ?? 1) + 2)
      : dice.pick<SnapshotKey | Entry>(possible).seq;
  session.note(`fork ${run} from ${base}@${seq}`);
  await session.commit(creationOf({ session, dice, run, base: { run: base, seq } }));
};

/** An owner's commit, with the fence of a lease that may be lost. */
export const commitAsOwner: Command = async (session, dice) => {
  const commit = ownerCommit(session, dice);
  session.note(
    `commit ${commit.run} after ${commit.expect} with fence ${(commit.writer as { readonly fence: number }).fence}`,
  );
  await session.commit(commit);
};

/** A guest's commit. */
export const commitAsGuest: Command = async (session, dice) => {
  const commit = guestCommit(session, dice, session.someRun(dice));
  session.note(`commit ${commit.run} after ${commit.expect} as a guest`);
  await session.commit(commit);
};

/** An own loop saves a checkpoint, or appends a note. */
export const commitAsLoop: Command = async (session, dice) => {
  const run = session.someRun(dice);
  const expect = expectation(session, dice, run);
  const isLoop = session.model.find(run)?.header.loop ?? true;
  const covers = dice.roll(expect + 2);
  const snapshot = isLoop && !dice.oneIn(3) ? newSnapshot(session, covers) : undefined;
  session.note(`commit ${run} after ${expect} as an own loop${snapshot ? `, covering ${covers}` : ''}`);
  await session.commit({
    run,
    writer: { by: 'loop' },
    expect,
    entries: [session.newEntry(loopKind, dice.oneIn(3))],
    snapshot,
  });
};

/** Several writers who know the same head at once. */
export const raceForHead: Command = async (session, dice) => {
  const commit = ownerCommit(session, dice);
  const { run, expect } = commit;
  const rivals = [commit, { ...guestCommit(session, dice, run), expect }];
  if (dice.oneIn(2)) rivals.push({ ...guestCommit(session, dice, run), expect });
  session.note(`race ${rivals.length} commits of ${run} after ${expect}`);
  await session.race(dice.oneIn(2) ? rivals.toReversed() : rivals);
};

/** Several creators of one run at once. */
export const raceToCreate: Command = async (session, dice) => {
  const run = session.someNewRun(dice);
  session.note(`race 2 creations of ${run}`);
  await session.race([creationOf({ session, dice, run, base: null }), creationOf({ session, dice, run, base: null })]);
};

/** A commit to every run at once: a group, where the store makes groups. */
export const commitEverywhere: Command = async (session, dice) => {
  session.note('commit every run as a guest at once');
  const runs = new Set([...session.model.runs.map(({ header }) => header.run), session.someRun(dice)]);
  await session.race([...runs].map((run) => guestCommit(session, dice, run)));
};

interface CreationParts {
  readonly session: Session;
  readonly dice: Dice;
  readonly run: string;
  readonly base: Base | null;
}

function creationOf({ session, dice, run, base }: CreationParts): Commit {
  const baseLoop = base === null ? undefined : session.model.find(base.run)?.header.loop;
  const loop = baseLoop ?? dice.oneIn(3);
  const worker = loop || dice.oneIn(3) ? null : dice.pick(workerIds);
  const createdAt = 1_000 + dice.roll(3);
  const [graph, version, parent] = [dice.pick(['flow', 'chat']), 1 + dice.roll(2), dice.pick([null, 'r0', 'r1'])];
  const of: NewRun = { loop, graph, version, base, parent, createdAt, worker };
  const expect = base?.seq ?? 0;
  const state: HeaderState = { status: 'pending', step: 0, frontier: ['start'], waits: [], wakeAt: null, tags: {} };
  const header = { ...state, ...headerChange(session, dice), ...(loop ? { wakeAt: null } : {}) };
  const entries = [session.newEntry(loopKind, dice.oneIn(3))];
  const snapshot = dice.oneIn(2) ? newSnapshot(session, expect + 1) : undefined;
  return { run, writer: { by: 'creator', of }, expect, entries, header, snapshot };
}

function ownerCommit(session: Session, dice: Dice): Commit {
  const run = session.someRun(dice);
  const leases = session.leases.filter((lease) => lease.run === run);
  const lease = dice.oneIn(3) ? leases[dice.roll(Math.max(1, leases.length))] : leases.at(-1);
  const writer: Writer = { by: 'owner', fence: lease?.fence ?? 1, release: dice.oneIn(6) };
  const expect = expectation(session, dice, run);
  const entries = [session.newEntry(dice.pick(ownerKinds), dice.oneIn(3))];
  if (dice.oneIn(3)) entries.push(session.newEntry('step', false));
  const header = headerChange(session, dice);
  const snapshot = dice.oneIn(3) ? newSnapshot(session, expect + entries.length) : undefined;
  return { run, writer, expect, entries, header, snapshot };
}

function guestCommit(session: Session, dice: Dice, run: string): Commit {
  const expect = expectation(session, dice, run);
  const wakeAt = session.model.find(run)?.header.loop ? {} : { header: { wakeAt: session.now } };
  return { run, writer: { by: 'guest' }, expect, entries: [session.newEntry(guestKind, dice.oneIn(4))], ...wakeAt };
}

/** The head, mostly; sometimes one that was passed or is not reached yet. */
function expectation(session: Session, dice: Dice, run: string): number {
  const head = session.model.find(run)?.header.head ?? 0;
  return dice.oneIn(8) ? Math.max(0, head + dice.pick([-1, 1, -2])) : head;
}

function newSnapshot(session: Session, covers: number): NewSnapshot {
  return { covers, head: { made: session.entries }, body: { state: session.entries } };
}

function headerChange(session: Session, dice: Dice): Partial<HeaderState> {
  const change: { -readonly [K in keyof HeaderState]?: HeaderState[K] } = {};
  if (dice.oneIn(2)) change.status = dice.pick(['running', 'waiting', 'completed']);
  if (dice.oneIn(4)) change.step = dice.roll(9);
  if (dice.oneIn(4)) change.frontier = dice.pick([[], ['one'], ['one', 'two']]);
  if (dice.oneIn(4)) change.tags = dice.pick([{}, { team: 'red' }, { team: 'blue', stage: '1' }]);
  if (dice.oneIn(2)) change.wakeAt = dice.pick([session.now, session.now - 1, session.now + timeStepMs, null]);
  if (dice.oneIn(6)) change.waits = [{ id: 'w', kind: dice.pick(['ask', 'sleep']), name: 'n', node: 'one', since: 1 }];
  return change;
}
