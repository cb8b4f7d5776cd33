import assert from 'node:assert/strict';
import type { ClaimResult, GraphName } from '../../store/contract/lease.ts';
import { leaseTimesMs, runIds, timeStepMs, workerIds } from './cast.ts';
import type { Command } from './command.ts';
import type { Dice } from './dice.ts';
import { type GivenLease, type Session, withoutToken } from './session.ts';

/** A worker takes due runs. */
export const claimDue: Command = async (session, dice) => {
  const request = dueRequest(dice);
  const { worker, limit, graphs } = request;
  const now = session.now;
  const due = session.model.due({ worker, graphs, now });
  session.note(`${worker} claims ${limit} due of ${JSON.stringify(graphs)}`);
  const { claimed, alive } = await session.persistence.ask((store) => store.claim(request));
  assert.equal(alive, session.model.isAlive(worker, now));
  // Runs that are due since the same moment may come in any order.
  assert.deepEqual(
    claimed.map(({ wakeAt }) => wakeAt),
    due.slice(0, limit).map(({ wakeAt }) => wakeAt),
  );
  takeAll(session, { worker, claimed, from: due.map(({ runId }) => runId) });
};

/** Two workers claim due runs at once: no run goes to both. */
export const raceForDue: Command = async (session, dice) => {
  const requests = [dueRequest(dice), { ...dueRequest(dice) }];
  const [first = '', second = ''] = requests.map(({ worker }) => worker);
  if (first === second) return claimDue(session, dice);
  const now = session.now;
  session.note(`${first} and ${second} claim due runs at once`);
  const results = await Promise.all(
    requests.map((request) => session.persistence.ask((store) => store.claim(request))),
  );
  for (const [at, { claimed }] of results.entries()) {
    const { worker, graphs, limit } = requests[at] as (typeof requests)[number];
    const from = session.model.due({ worker, graphs, now }).map(({ runId }) => runId);
    assert.ok(claimed.length <= limit);
    takeAll(session, { worker, claimed, from });
  }
};

/** A worker takes one run. */
export const claimOne: Command = async (session, dice) => {
  const [worker, runId] = [dice.pick(workerIds), session.someRun(dice)];
  const now = session.now;
  const expected = session.model.mayTake({ worker, runId, now }) ? [runId] : [];
  session.note(`${worker} claims ${runId}`);
  const { claimed, alive } = await session.persistence.ask((store) => store.claim({ type: 'one', worker, runId }));
  assert.equal(alive, session.model.isAlive(worker, now));
  assert.deepEqual(
    claimed.map((header) => header.runId),
    expected,
  );
  takeAll(session, { worker, claimed, from: expected });
};

/** A worker renews its lease. */
export const heartbeat: Command = async (session, dice) => {
  const [worker, leaseMs] = [dice.pick(workerIds), dice.pick(leaseTimesMs)];
  const now = session.now;
  session.note(`${worker} lives for ${leaseMs} ms`);
  // Repeated when it fails: only whether it was alive before the first try is known.
  const { claimed, alive } = await session.persistence.ask((store) =>
    store.claim({ type: 'heartbeat', worker, leaseMs }),
  );
  assert.deepEqual({ claimed, alive }, { claimed: [], alive: session.model.isAlive(worker, now) });
  session.model.heartbeat(worker, now + leaseMs);
};

/** A worker lets go of some runs, or of all. */
export const release: Command = async (session, dice) => {
  const worker = dice.pick(workerIds);
  const runs = dice.oneIn(2) ? undefined : [session.someRun(dice), dice.pick(runIds)];
  session.note(`${worker} lets go of ${runs?.join(' and ') ?? 'everything'}`);
  const { alive } = await session.persistence.ask((store) => store.claim({ type: 'release', worker, runs }));
  assert.equal(alive, session.model.isAlive(worker, session.now));
  session.model.release(worker, runs);
};

/** A lease is lost: time passes, another worker takes the run, and the one who held it commits. */
export const loseLease: Command = async (session, dice) => {
  const [loser, winner] = dice.pick([
    ['w0', 'w1'],
    ['w1', 'w2'],
    ['w2', 'w0'],
  ] as const);
  const lost = session.leases.findLast((lease) => lease.worker === loser && holds(session, lease));
  if (lost === undefined) return claimOne(session, dice);
  const now = await session.advance(15 * timeStepMs);
  await session.persistence.ask((store) =>
    store.claim({ type: 'heartbeat', worker: winner, leaseMs: leaseTimesMs[1] }),
  );
  session.model.heartbeat(winner, now + leaseTimesMs[1]);
  const expected = session.model.mayTake({ worker: winner, runId: lost.runId, now }) ? [lost.runId] : [];
  session.note(`${winner} takes ${lost.runId} over from ${loser}, who then commits`);
  const { claimed } = await session.persistence.ask((store) =>
    store.claim({ type: 'one', worker: winner, runId: lost.runId }),
  );
  assert.deepEqual(
    claimed.map(({ runId }) => runId),
    expected,
  );
  takeAll(session, { worker: winner, claimed, from: expected });
  const expect = session.model.find(lost.runId)?.header.head ?? 0;
  const entries = [session.newEntry('superstep', false)];
  await session.commit({ runId: lost.runId, writer: { by: 'owner', fence: lost.fence }, expect, entries });
};

function holds({ model }: Session, { runId, fence }: GivenLease): boolean {
  const header = model.find(runId)?.header;
  return header?.fence === fence && !header.hidden;
}

function dueRequest(dice: Dice) {
  const graphs = dice.pick<readonly GraphName[]>([
    [{ name: 'flow' }, { name: 'chat' }],
    [{ name: 'flow', version: 1 }],
    [{ name: 'chat', version: 2 }, { name: 'flow' }],
    [],
  ]);
  return { type: 'due', worker: dice.pick(workerIds), graphs, limit: dice.pick([1, 2, 10]) } as const;
}

interface Taking {
  readonly worker: string;
  readonly claimed: ClaimResult['claimed'];
  readonly from: readonly string[];
}

/** Compares each run taken with what the model makes of it. */
function takeAll(session: Session, { worker, claimed, from }: Taking): void {
  const rest = new Set(from);
  for (const header of claimed) {
    assert.ok(rest.delete(header.runId), `${header.runId} was free to take, once`);
    const expected = session.model.take(header.runId, worker);
    assert.deepEqual(withoutToken(header), expected);
    session.leases.push({ runId: header.runId, worker, fence: expected.fence });
  }
}
