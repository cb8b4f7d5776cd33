import assert from 'node:assert/strict';
import type { Claim } from '../../../store/checked-store.ts';
import { type GraphName, loadLimit } from '../../../store/contract/lease.ts';
import { leaseTimesMs, runIds, timeStepMs, workerIds } from '../cast.ts';
import type { Command } from '../command.ts';
import type { Dice } from '../dice.ts';
import { type ModelLoad, modelLoad } from '../model-query.ts';
import type { GivenLease, Session } from '../session.ts';
import { sameLoad } from './read-commands.ts';

/** A worker leases due runs. */
export const claimDue: Command = async (session, dice) => {
  const request = dueRequest(dice);
  const { worker, limit, leaseMs } = request;
  const now = session.now;
  session.note(`${worker} claims due runs: ${JSON.stringify(request)}`);
  const claim = await session.persistence.ask((store) => store.claim(request));
  session.model.heartbeat(worker, now + leaseMs);
  const waking = session.model.waking({ ...request, now });
  const due = waking.filter((header) => Number(header.wakeAt) <= now && session.model.isFree(header, now));
  // Runs that are due since the same moment may come in any order.
  assert.deepEqual(
    claim.claimed.map(({ header }) => header.wakeAt),
    due.slice(0, limit).map(({ wakeAt }) => wakeAt),
  );
  assert.equal(claim.nextDueAt, session.model.nextDueAt(waking, claim.claimed.length, now));
  await leaseAll(session, { worker, claim, from: due.map(({ runId }) => runId) });
};

/** Two workers claim due runs at once: no run goes to both. */
export const raceForDue: Command = async (session, dice) => {
  const requests = [dueRequest(dice), dueRequest(dice)];
  const [first = '', second = ''] = requests.map(({ worker }) => worker);
  if (first === second) return claimDue(session, dice);
  const now = session.now;
  session.note(`${first} and ${second} claim due runs at once: ${JSON.stringify(requests)}`);
  const claims = await Promise.all(requests.map((request) => session.persistence.ask((store) => store.claim(request))));
  // Whichever came first: a run that the other one's return keeps may be gone already.
  const from = requests.map((request) =>
    session.model
      .waking({ ...request, now })
      .filter((header) => Number(header.wakeAt) <= now && session.model.isFree(header, now))
      .map(({ runId }) => runId),
  );
  for (const [at, { worker, limit, leaseMs }] of requests.entries()) {
    const claim = claims[at] as Claim;
    assert.ok(claim.claimed.length <= limit);
    session.model.heartbeat(worker, now + leaseMs);
    await leaseAll(session, { worker, claim, from: from[at] ?? [], isRace: true });
  }
};

/** A worker leases one run. */
export const claimOne: Command = async (session, dice) => {
  const [worker, runId, leaseMs] = [dice.pick(workerIds), session.someRun(dice), dice.pick(leaseTimesMs)];
  const [ifDue, takeover] = [dice.oneIn(2), !dice.oneIn(3)];
  const how = `${ifDue ? ' if it is due' : ''}${takeover ? '' : ' without takeover'}`;
  session.note(`${worker} claims ${runId}${how} for ${leaseMs} ms`);
  await lease(session, { worker, runId, leaseMs, ifDue, takeover });
};

interface One {
  readonly worker: string;
  readonly runId: string;
  readonly leaseMs: number;
  readonly ifDue: boolean;
  readonly takeover: boolean;
}

async function lease(session: Session, one: One): Promise<void> {
  const now = session.now;
  const { worker, runId, leaseMs, ifDue } = one;
  const claim = await session.persistence.ask((store) => store.claim({ type: 'one', ...one }));
  session.model.heartbeat(worker, now + leaseMs);
  const expected = session.model.mayLease({ ...one, now }) ? [runId] : [];
  const isLeft = ifDue && expected.length === 0;
  assert.equal(claim.nextDueAt, isLeft ? session.model.nextTimeFor(worker, runId, now) : null);
  assert.deepEqual(
    claim.claimed.map(({ header }) => header.runId),
    expected,
  );
  await leaseAll(session, { worker, claim, from: expected });
}

/** A worker stays alive. */
export const heartbeat: Command = async (session, dice) => {
  const [worker, leaseMs] = [dice.pick(workerIds), dice.pick(leaseTimesMs)];
  const now = session.now;
  session.note(`${worker} lives for ${leaseMs} ms`);
  const answer = await session.persistence.ask((store) => store.claim({ type: 'heartbeat', worker, leaseMs }));
  assert.deepEqual(answer, { claimed: [], corrupt: [], granted: false, now, nextDueAt: null });
  session.model.heartbeat(worker, now + leaseMs);
};

/** A worker releases some runs, or all; sometimes because it cannot execute them. */
export const release: Command = async (session, dice) => {
  const worker = dice.pick(workerIds);
  const runs = dice.oneIn(3) ? undefined : [session.someRun(dice), dice.pick(runIds)];
  const refusal = dice.oneIn(2) ? { code: 'HOLDFAST_VERSION', message: `no ${session.entries}` } : undefined;
  session.note(`${worker} releases ${runs?.join(' and ') ?? 'everything'}${refusal ? ' and refuses' : ''}`);
  await session.persistence.ask((store) => store.claim({ type: 'release', worker, runIds: runs, refusal }));
  session.model.release(worker, { runIds: runs, refusal: refusal && { worker, ...refusal, at: session.now } });
};

/** A worker refuses a run that it leases. */
export const refuse: Command = async (session, dice) => {
  const owned = session.model.runs.filter(({ header }) => header.worker !== null);
  if (owned.length === 0) return claimDue(session, dice);
  const { runId, worker } = dice.pick(owned).header;
  const refusal = { code: 'HOLDFAST_MISSING_KEY', message: `at ${session.entries}` };
  const by = worker as string;
  session.note(`${by} refuses ${runId}`);
  await session.persistence.ask((store) => store.claim({ type: 'release', worker: by, runIds: [runId], refusal }));
  session.model.release(by, { runIds: [runId], refusal: { worker: by, ...refusal, at: session.now } });
};

/** A worker asks for a duty. */
export const askDuty: Command = async (session, dice) => {
  const [worker, name, everyMs] = [dice.pick(workerIds), dice.pick(['sweep', 'other']), dice.pick([1_000, 5_000])];
  session.note(`${worker} asks for the duty ${name} every ${everyMs} ms`);
  const { granted } = await session.persistence.ask((store) => store.claim({ type: 'duty', worker, name, everyMs }));
  assert.equal(granted, session.model.grantsDuty({ name, everyMs, now: session.now }));
};

/** A lease is lost: time passes, another worker leases the run, and the one who had it commits. */
export const loseLease: Command = async (session, dice) => {
  const [loser, winner] = dice.pick([
    ['w0', 'w1'],
    ['w1', 'w2'],
    ['w2', 'w0'],
  ] as const);
  const lost = session.leases.findLast((given) => given.worker === loser && isLeased(session, given));
  if (lost === undefined) return claimOne(session, dice);
  await session.advance(15 * timeStepMs);
  session.note(`${winner} takes ${lost.runId} over from ${loser}, who then commits`);
  await lease(session, { worker: winner, runId: lost.runId, leaseMs: leaseTimesMs[1], ifDue: false, takeover: true });
  const expect = session.model.find(lost.runId)?.header.head ?? 0;
  const entries = [session.newEntry('superstep', false)];
  await session.commit({ runId: lost.runId, writer: { by: 'owner', fence: lost.fence }, expect, entries });
};

function isLeased({ model }: Session, { runId, fence }: GivenLease): boolean {
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
  const [worker, limit, leaseMs] = [dice.pick(workerIds), dice.pick([1, 2, 10]), dice.pick(leaseTimesMs)];
  return { type: 'due', worker, leaseMs, graphs, limit, takeover: !dice.oneIn(3) } as const;
}

function loadedOf(session: Session, runId: string): ModelLoad | undefined {
  const loaded = modelLoad(session.model, { runId, limit: loadLimit });
  return loaded && withoutLeases(loaded);
}

/** The runs above may be leased by the same claim, before or after this one was read. */
function withoutLeases<T extends Pick<ModelLoad, 'lineage'>>(loaded: T): T {
  const plain = { worker: null, fence: 0, claims: 0 };
  return { ...loaded, lineage: loaded.lineage.map((header) => ({ ...header, ...plain })) };
}

interface Leasing {
  readonly worker: string;
  readonly claim: Claim;
  readonly from: readonly string[];
  /** Others claim at the same time: what the run came with may be older than what the model knows. */
  readonly isRace?: boolean;
}

/** Compares each run leased with what the model makes of it. */
async function leaseAll(session: Session, { worker, claim, from, isRace = false }: Leasing): Promise<void> {
  assert.deepEqual([claim.corrupt, claim.granted, claim.now], [[], false, session.now]);
  const rest = new Set(from);
  for (const claimed of claim.claimed) {
    const { header } = claimed;
    const { runId } = header;
    assert.ok(rest.delete(runId), `${runId} was free to lease, once`);
    const expected = session.model.lease(runId, worker);
    session.sameHeaders([header], [expected]);
    session.leases.push({ runId, worker, fence: expected.fence });
    if (!isRace) sameLoad(session, withoutLeases(await claimed.open()), loadedOf(session, runId));
  }
}
